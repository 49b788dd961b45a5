import { app, ready } from './bolt.ts'

/** The least that Bolt can do with a command: check it and say "taken". */
app.command('/endpoint', ({ ack }) => ack())

await ready()
