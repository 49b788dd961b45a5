import { startApiServer } from './adapters/api/server.ts'
import { addressesFrom, linksTo } from './adapters/slack/delivery/sent-messages.ts'
import type { Time } from './clock.ts'
import type { Config } from './config/config.ts'
import type { Meter } from './core/ports/meter.ts'
import { commands } from './features/command-table.ts'
import { openDoor } from './gateways.ts'
import type { ProcessLog } from './log.ts'

/** Accepts lines from programs, stores them and wakes workers. Has no platform key and never calls the platform. */
export async function startApi(config: Config, log: ProcessLog, time: Time, meter: Meter) {
  const { api } = config
  if (api === undefined) throw new Error('The API needs LAMPLIGHTER_API_PORT.')
  const { clock } = time
  const door = await openDoor('api', config, log, time, meter)
  const { gateways, client } = door
  const { signingSecret, ...place } = api
  const links = new Map(gateways.map(({ project, store }) => [project, linksTo(store, addressesFrom(client))]))
  const server = await startApiServer({
    ...place,
    gateways,
    isFromSlack:
      signingSecret &&
      (async (headers, body) => {
        // It loads Bolt, so only where Slack's own MCP client may call.
        const { signaturesOf } = await import('./adapters/slack/receivers/verify.ts')
        return signaturesOf(signingSecret.reveal(), clock).check(headers, body) !== undefined
      }),
    commands,
    clock,
    linkTo: async (project, request) => (await links.get(project)?.(request)) ?? null,
    log,
  })
  door.watch()
  return {
    port: server.port,
    async stop() {
      await server.stop()
      await door.close()
    },
  }
}
