import { answersTo, type DailyPreview } from '../../core/model/question.ts'
import { isAutomatic, type Request } from '../../core/model/request.ts'
import { isSame } from '../../core/model/roles.ts'
import { say, type Words } from '../../core/model/words.ts'
import { votersOf, votesOf } from '../../core/requests/awaited.ts'
import { askerOf, becauseOf, inWords, type ParsedRequest } from '../../core/requests/in-words.ts'
import { placeOfZone } from '../../core/time/zone.ts'
import { settingsOf } from '../../features/endpoints/patch.ts'
import { type Draft, draft, type Part, perhapsPart, smallPart, textPart } from './draft.ts'

/** What belongs to a request in any state: that its approval was bypassed, its votes, its reason and what it changes. */
export function aboutOf(request: ParsedRequest): readonly Part[] {
  return [
    ...breakGlassNotice(request),
    ...perhapsPart(votesOf(request)),
    ...perhapsPart(becauseOf(request)),
    ...beforeOf(request),
  ]
}

/** The previous settings, as far as we know them. */
function beforeOf({ plan, before }: Request): readonly Part[] {
  const body = plan?.find(({ goal }) => goal === 'answered')?.call.body
  if (typeof body !== 'object' || body === null || before === undefined) return []
  const known = { ...before, env_keys: null, container_env_vars: before.env_keys?.join(', ') }
  const were = Object.entries(known).filter(([name]) => name in body)
  return [textPart(say('patch.before', { settings: settingsOf(were) }))]
}

/** "approved by @ben and @eva", "confirmed by @eva": who agreed besides the requester. Empty for break-glass. */
export function agreedBy(request: Request): Words {
  const { actor, decision, votes = [] } = request
  if (decision?.yes !== true || decision.glass === true) return ''
  if (votes.length > 0) return say('card.agreed', { how: 'approved', by: votersOf(votes) })
  // The owner of a rule did not ask for its request in person, so anyone who confirmed it is named.
  const isOwn = isSame(decision.by, actor) && !isAutomatic(request)
  return isOwn ? '' : say('card.agreed', { how: 'confirmed', by: { person: decision.by } })
}

/** The most zones that people can compare. */
const mostZones = 3

/** The next days, one line each, for each time zone that differs. Written as words, so that they can be read aloud. */
export function previewOf(outlooks: readonly DailyPreview[] = []): readonly Part[] {
  return outlooks
    .slice(0, mostZones)
    .flatMap(({ zone, lines }) => [
      smallPart(say('schedules.days', { place: placeOfZone(zone) })),
      { kind: 'lines', lines },
    ])
}

/** Shown on every message about a request whose approval an admin has bypassed. */
export function breakGlassNotice(request: Request): readonly Part[] {
  const { decision } = answersTo(request)
  if (decision?.glass !== true) return []
  const { by, because = '' } = decision
  return [textPart('🚨 ', say('glass.passed', { by: { person: by }, reason: because }))]
}

/** The message to the operations channel; null without break-glass. */
export function alarmOf(request: ParsedRequest): Draft | null {
  const { decision } = request
  if (decision?.glass !== true) return null
  const { by, because: reason = '' } = decision
  const deed = inWords(request, 'ask')
  return draft(say('glass.broken', { deed, reason }), [
    textPart('🚨 ', say('glass.alarm', { by: { person: by }, deed, reason })),
    smallPart(askerOf(request)),
  ])
}
