import { app, ready } from './bolt.ts'

/** The least that Bolt can do with a command: verify it and acknowledge it. */
app.command('/endpoint', ({ ack }) => ack())

await ready()
