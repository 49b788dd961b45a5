import { idleRuleOf } from '../../core/model/automation.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import type { EndpointRules, Schedules, Watching } from '../../core/model/query-answer.ts'
import { freezeAt, type IdleRule, isOwned, recordOn } from '../../core/model/records.ts'
import type { OneOff, Rule } from '../../core/model/rules.ts'
import { say } from '../../core/model/words.ts'
import { fenceOf, isInside } from '../../core/policy/programs.ts'
import type { OwnOutcome, QueryInput, Services } from '../../core/ports/services.ts'
import { findEndpoint, removedEndpoint } from '../../core/requests/find-endpoint.ts'
import { earlyRestartsOf, idleTimeOf, whySpared } from '../idle/candidate.ts'
import { removedKey } from '../schedules/housekeeping.ts'
import { restingOwners, rulesNow } from '../schedules/preview.ts'
import { nextChange } from '../schedules/rules/coming.ts'
import { spanOfOneOff } from '../schedules/rules/desired-state.ts'
import { previewDays } from '../schedules/rules/preview-days.ts'
import { rulebookOf } from '../schedules/rules/rulebook.ts'
import { openNow } from './lately.ts'

/** Returns the rules of one endpoint or of all. Removed endpoints keep their last known names. */
export async function schedulesOf(services: Services, { request, values }: QueryInput): Promise<OwnOutcome<Schedules>> {
  const about =
    values['on'] === undefined
      ? null
      : await findEndpoint(services, String(values['on']), services.commands.query(request.line), request)
  if (about?.kind === 'later') return { kind: 'unknown', says: about.says }
  if (about?.kind === 'none') return about
  const [records, reconcileStates, rulesOf, listed, zone] = await Promise.all([
    services.store.records(),
    services.store.reconcileStates(),
    rulesNow(services),
    endpointsOf(services),
    services.people.zoneOf(request.actor),
  ])
  const [policy, now] = [services.policy(), services.clock.now()]
  const on = fenceOf(request, records)
  const says = say('program.on', { name: request.through?.name ?? '', on: { any: on ?? [] } })
  if (about !== null && !isInside(on, about.endpoint, listed)) return { kind: 'none', says, offers: [] }
  const resting = restingOwners(records, reconcileStates)
  const all = rulebookOf(records, policy, now)
  const meant =
    about === null
      ? [...listed, ...(await removedEndpoints())].filter((one) => isInside(on, one, listed))
      : [listed.find(({ id }) => id === about.endpoint.id) ?? { active: null, ...about.endpoint }]
  const { announcedOf } = await openNow(services)
  // The stop of a one-off whose time is over may have been put off.
  const isShown = ({ entries, idle, announced }: EndpointRules) =>
    about !== null || entries.length > 0 || idle !== undefined || announced !== undefined
  const ruled = meant
    .map(rulesOn)
    .filter(isShown)
    .sort((a, b) => a.endpoint.name.localeCompare(b.endpoint.name, 'en'))
  const [first] = ruled
  const outlooks =
    // Without weekly rules, a week would show the end of a one-off's reach as if it were a start.
    about === null || first?.entries.some(({ rule }) => rule.kind === 'weekly') !== true || first.gone
      ? []
      : previewDays(first.rules, now, zone ?? policy.automation.zone ?? 'UTC', first.announced?.at)
  return { kind: 'answered', answer: { freeze: freezeAt(records, now), ruled, outlooks } }

  function rulesOn(endpoint: Endpoint): EndpointRules {
    const { id, name, active, status = '' } = endpoint
    const known = all.of(endpoint)
    // Expired holds and one-offs stay stored while a decision begins at their end. A stop ends when it is made, unless
    // weekly rules would start the endpoint again.
    const endOf = (rule: OneOff) => (known.weekly.length > 0 ? spanOfOneOff(known, rule).to : (rule.until ?? rule.at))
    // A pause or a freeze may have moved the stop of a one-off that would be over otherwise.
    const next = endpoint.active === false ? null : nextChange(rulesOf(endpoint), now)
    const isMoved = ({ id: rule }: OneOff) => next?.want === 'down' && 'id' in next.by && next.by.id === rule
    const once = known.once.filter((rule) => endOf(rule) > now || isMoved(rule))
    const rules: readonly Rule[] = [...known.weekly, ...once, ...known.holds.filter(({ until }) => until > now)]
    const own = recordOn(records, 'idle', id)
    // A rule of mode `off` is shown only if the team's rule would apply otherwise.
    const isNever = own?.mode === 'off' && idleRuleOf(new Map(), policy, endpoint) !== null
    const idle = isNever ? own : idleRuleOf(records, policy, endpoint)
    const announced = announcedOf?.(endpoint)
    return {
      endpoint: { id, name, active, status },
      ...(announced && { announced }),
      entries: rules.map((rule) => ({ rule, resting: rule.kind !== 'hold' && resting.has(rule.owner.user) })),
      rules: rulesOf(endpoint),
      ...(idle !== null && { idle: watchingOf(endpoint, idle) }),
      ...(reconcileStates.has(removedKey(id)) && { gone: true }),
    }
  }

  function watchingOf(endpoint: Endpoint, rule: IdleRule): Watching {
    const after = idleTimeOf(rule, earlyRestartsOf(records, endpoint.id, now).length, policy.automation.idle.most)
    const spared = rule.mode === 'off' ? null : whySpared(rulesOf(endpoint), endpoint, rule, now)
    const paused = resting.has(rule.owner.user)
      ? say('schedules.paused')
      : spared && say('usage.spared', { why: spared })
    const longer = after > rule.after ? say('schedules.longer', { after: { lasting: rule.after } }) : ''
    return { rule, after, note: paused ?? longer }
  }

  async function removedEndpoints(): Promise<readonly Endpoint[]> {
    const there = new Set(listed.map(({ id }) => id))
    const ids = [...records.values()].flatMap((one) => {
      const isShown = isOwned(one) || one.kind === 'hold'
      return isShown && one.endpoint !== null && !there.has(one.endpoint) ? [one.endpoint] : []
    })
    const found = [...new Set(ids)].map(async (id) => (await removedEndpoint(services, id)) ?? { id, name: id })
    return (await Promise.all(found)).map((one) => ({ active: null, ...one }))
  }
}

/** Returns the endpoints as they are now, or as last listed if the platform does not answer. */
async function endpointsOf({ platform, store }: Services): Promise<readonly Endpoint[]> {
  const listed = await platform.list()
  return listed.kind === 'answered' ? listed.answer : ((await store.names())?.endpoints ?? [])
}
