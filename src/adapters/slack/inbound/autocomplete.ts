import type { App } from '@slack/bolt'
import type { Row } from '../../../core/commands/define.ts'
import { type Endpoint, namedAmong } from '../../../core/model/endpoint.ts'
import type { PolicyLimits } from '../../../core/model/policy.ts'
import { type Language, say } from '../../../core/model/words.ts'
import { languageFor } from '../../../core/requests/gateway.ts'
import { endpointsFor } from '../../../core/requests/overview.ts'
import { nearest } from '../../../core/text/names.ts'
import { unlessItFails } from '../../../core/text/unless-it-fails.ts'
import { asText } from '../../../core/words/render.ts'
import { markOf, stateOf } from '../../../features/endpoints/state.ts'
import { endpointAction, option } from '../forms/elements.ts'
import { formMetadataIn } from '../forms/form.ts'
import { marked } from '../kit/buttons.ts'
import { projectIn } from '../messages/draw.ts'
import { actorIn, type ListenerContext } from './interaction.ts'

/** Slack's limit for options. */
const most = 100
/** Slack's limit for an option's value, in characters. */
const longest = 150

/** Suggests endpoints from the cached list: a bot has no platform key, and keystrokes must not load the platform. */
export function listenToTyping(app: App, { gateways, commands, log }: ListenerContext): void {
  app.options<'block_suggestion'>(
    { action_id: endpointAction, type: 'block_suggestion' },
    async ({ ack, body, payload }) => {
      const from = formMetadataIn(payload.view?.private_metadata ?? '')
      if (from === null && payload.view) return ack({ options: [] })
      // In a message this is the menu's picker, which belongs to no command yet.
      const inMessage = { channel: body.channel?.id ?? '', project: projectIn(payload.block_id), verb: '' }
      const { channel, project, verb } = from ?? inMessage
      const where = { actor: actorIn(body), channel, project }
      const endpoints = await endpointsFor(gateways, where).catch((err: unknown) => {
        log.warn({ err }, 'could not read the names of endpoints')
        return []
      })
      const language = await languageFor(gateways, where.actor)
      const options =
        endpoints === null ? [] : suggestions(endpoints, payload.value.trim(), commands.find(verb), language)
      await ack({ options: [...options] })
    },
  )
}

/** If nothing matches, offers the typed text, because the endpoint may be new or missing from the list. */
export function suggestions(endpoints: readonly Endpoint[], typed: string, row: Row | undefined, reader: Language) {
  const found = search(endpoints, typed, preferenceOf(row)).filter(({ id }) => id.length <= longest)
  if (found.length === 0 && typed !== '' && typed.length <= longest)
    return [option(typed, typed, asText(say('menu.asTyped'), reader))]
  return found.map((endpoint) => {
    const state = marked(markOf(endpoint), asText(stateOf(endpoint), reader))
    // The id is shown only if several endpoints share the name.
    const { id, name, ambiguous } = namedAmong(endpoint, endpoints)
    return option(name, id, ambiguous === true ? `${id} · ${state}` : state)
  })
}

/** The policy's limits are checked later, when the command comes in. */
const boundless: PolicyLimits = { replicas: Infinity, away: Infinity, keep: Infinity }

/** Whether running endpoints come first, null for neither: `unless` refuses one state. Without values it may throw. */
function preferenceOf(row: Row | undefined): boolean | null {
  if (row?.kind !== 'operation') return null
  const { unless } = row
  function refuses(active: boolean): boolean {
    const endpoint = { id: '', name: '', active, replicas: Number.NaN }
    return unlessItFails(() => unless(endpoint, {}, boundless) !== false, false)
  }
  const [active, stopped] = [refuses(true), refuses(false)]
  return active === stopped ? null : stopped
}

/** How many near misses a typo gets, and among how many endpoints: comparing 10,000 takes up to 200 ms. */
const [few, compared] = [10, 1_000]

/** Finds what begins with `typed`, then what contains it; each with those first that are `active` as wanted, if any. */
export function search(endpoints: readonly Endpoint[], typed: string, active: boolean | null): readonly Endpoint[] {
  const wanted = typed.toLowerCase()
  const found = endpoints
    .map((endpoint) => ({ endpoint, name: endpoint.name.toLowerCase(), id: endpoint.id.toLowerCase() }))
    .filter(({ name, id }) => name.includes(wanted) || id.startsWith(wanted))
    .map((one) => ({
      ...one,
      isInside: !one.name.startsWith(wanted) && !one.id.startsWith(wanted),
      isLater: active !== null && one.endpoint.active !== active,
    }))
    .sort(
      (a, b) =>
        Number(a.isInside) - Number(b.isInside) ||
        Number(a.isLater) - Number(b.isLater) ||
        (a.name < b.name ? -1 : Number(a.name > b.name)),
    )
  if (found.length === 0 && wanted !== '') return nearest(typed, endpoints.slice(0, compared), few)
  return found.slice(0, most).map(({ endpoint }) => endpoint)
}
