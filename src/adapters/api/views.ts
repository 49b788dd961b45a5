import { type Commands, withoutReason } from '../../core/commands/commands.ts'
import type { Effect, QueryAnswer } from '../../core/model/query-answer.ts'
import { type AnswersGiven, answersTo } from '../../core/model/question.ts'
import { onceIn } from '../../core/model/records.ts'
import { isAnnounced, isEnded, type Request, toldStatus, waitsForPeople } from '../../core/model/request.ts'
import { memberText, personNamed } from '../../core/model/roles.ts'
import { type Language, reasonIn, say, type Words } from '../../core/model/words.ts'
import { dueOf, votersOf } from '../../core/requests/awaited.ts'
import { parsedBy, requestPhrase } from '../../core/requests/in-words.ts'
import { inEach, plainText } from '../../core/words/plain.ts'
import { decidedIn } from '../../features/events/events-in.ts'
import { plainEndOf } from '../../lifecycle/messages/end.ts'

/** A request as a program sees it; `openapi.json` says what its fields mean. */
export type RequestView = ReturnType<typeof requestView>

interface Around {
  /** The permalink of its card, for its person. */
  readonly link: string | null
  /** The request because of which this one was refused. */
  readonly about?: Pick<Request, 'id' | 'status'> & { readonly link?: string }
  /** The time zone of its person. */
  readonly zone: string
  /** No worker is running that could take it up. */
  readonly unserved?: boolean
}

export function requestView(commands: Commands, request: Request, { link, about, zone, unserved }: Around) {
  const { id, project, line, status, actor, through, endpoint, ending, ask, shown, requirement } = request
  const decided = decidedIn(request)
  const isOpen = !isEnded(status)
  const once = onceIn(request.change)
  const asks = waitsForPeople(request) && ask !== undefined
  return {
    id,
    project,
    ...withoutReason(line, commands),
    status: isAnnounced(request) ? 'running' : toldStatus(request),
    open: isOpen,
    says: inEach(unserved ? say('request.noWorker') : saysOf(commands, request, zone)),
    person: actor.user,
    ...(through !== undefined && { program: through.name }),
    ...(endpoint !== undefined && { endpoint: { id: endpoint.id, name: endpoint.name } }),
    ...(asks && requirement !== undefined && { needs: requirement, expires: iso(ask.expiresAt) }),
    ...(asks &&
      requirement === 'approval' && { approvals: { needed: ask.asking.needed, given: request.votes?.length ?? 0 } }),
    ...(once !== undefined && {
      when: { at: iso(once.at), ...(once.until !== undefined && { until: iso(once.until) }), zone },
    }),
    ...(decided !== undefined && { decided }),
    ...(ending?.holds && { already: true }),
    ...(hasChangedNothing(request) && { unchanged: true }),
    // The other request is open on the same endpoint or asks for the same change.
    ...(status === 'refused' && ending?.about !== undefined && { blockedBy: ending.about }),
    ...(status === 'refused' && ending?.offers !== undefined && { perhaps: linesOf(ending.offers) }),
    ...(ending?.quote !== undefined && { quote: ending.quote }),
    ...(shown !== undefined && { answer: answersIn(shown) }),
    ...(link !== null && { link }),
    ...(about !== undefined && { about }),
    received: iso(request.receivedAt),
    ...(ending !== undefined && { ended: iso(ending.at) }),
  }
}

/** Whether it ended without a call to the platform and without a change of our records. */
function hasChangedNothing({ status, progress = [] }: Request): boolean {
  const isNo = ['refused', 'declined', 'cancelled', 'expired'].includes(status)
  return isNo && progress.every(({ sends }) => sends.length === 0)
}

function saysOf(commands: Commands, request: Request, zone: string): Words {
  const { line, status, ending, shown, means = [] } = request
  const state = isAnnounced(request) ? dueOf(parsedBy(commands, request)) : say('program.state', { status })
  const agreed = agreedBy(answersTo(request))
  // What the line means is shown with the question that it belongs to.
  const asks = means.length === 0 ? '' : say('program.asks', { deed: requestPhrase(commands, request) })
  if (ending === undefined)
    return [state, agreed, asks, ...means, onceIn(request.change) ? say('program.zone', { zone }) : '']
  // Only a newer version may know its line.
  if (commands.stored(line)?.row.kind !== 'operation')
    return shown === undefined ? [ending.says, ending.told ?? ''] : shown.title
  return [plainEndOf(parsedBy(commands, request)), agreed]
}

/** "Approved by @U0BEN and @U0EVA." The end itself says who declined. */
function agreedBy({ decision, votes = [] }: AnswersGiven): Words {
  if (decision?.yes !== true) return ''
  const { by, because = '', glass } = decision
  if (glass === true) return say('glass.passed', { by: { person: by }, reason: because })
  const how = votes.length > 0 ? 'approved' : 'confirmed'
  return say('ask.answered', { how, by: votersOf(votes.length > 0 ? votes : [decision]), ...reasonIn(because) })
}

function iso(at: number): string {
  return new Date(at).toISOString()
}

/**
 * A query's answer for a program. Instants are ISO 8601 in UTC. People are Slack ids such as user:U…, or group:S… and
 * the like if the policy names those.
 */
export type AnswerView = ReturnType<typeof answerView>

/** Returns the lines behind buttons. A button that opens a form or a menu is only for people. */
function linesOf(offers: QueryAnswer['offers'] = []): readonly string[] {
  return offers.flatMap(({ line, opens }) => (opens === undefined ? [line] : []))
}

/** Returns an answer in each language. */
export function answersIn(answer: QueryAnswer) {
  return { en: answerView(answer, 'en'), ko: answerView(answer, 'ko') }
}

function answerView(answer: QueryAnswer, language: Language) {
  const text = (words: Words) => plainText(words, language)
  const { title, items, effect, block, foot, offers } = answer
  return {
    title: text(title),
    items: items.map(
      ({ text: said, detail, mark, who, whom = [], endpoint, through, program, decided, offers: next }) => ({
        text: text(said),
        ...(detail !== undefined && { detail: text(detail) }),
        ...(mark !== undefined && { mark }),
        ...((who !== undefined || whom.length > 0) && {
          people: [...(who === undefined ? [] : [personNamed(who)]), ...whom].map(memberText),
        }),
        ...(endpoint !== undefined && { endpoint }),
        ...(through !== undefined && { through: text(through) }),
        ...(program !== undefined && { program }),
        ...(decided !== undefined && {
          decided: { says: text(decided.says), people: decided.votes.map(({ by }) => memberText(personNamed(by))) },
        }),
        ...(linesOf(next).length > 0 && { lines: linesOf(next) }),
      }),
    ),
    ...(effect !== undefined && { effect: effectView(effect) }),
    ...(block !== undefined && { block: block.map(text) }),
    ...(foot !== undefined && { foot: text(foot) }),
    ...(linesOf(offers).length > 0 && { lines: linesOf(offers) }),
  }
}

function effectView({ whom, expires, at, until, ...effect }: Effect) {
  return {
    ...effect,
    ...(whom !== undefined && { people: whom.map(memberText) }),
    ...(expires !== undefined && { expires: iso(expires) }),
    ...(at !== undefined && { at: iso(at) }),
    ...(until !== undefined && { until: iso(until) }),
  }
}

export function answerText({ title, items, block = [], foot }: AnswerView): string {
  const rows = items.map(({ text, detail, mark, through = '', people = [], decided }) =>
    [
      `- ${text}`,
      through === '' ? '' : `· ${through}`,
      people.join(', '),
      detail ?? '',
      decided === undefined ? '' : `· ${decided.says} ${decided.people.join(', ')}`,
      // The decision already says who declined.
      mark === undefined || decided !== undefined ? '' : `(${mark})`,
    ]
      .filter((part) => part !== '')
      .join(' '),
  )
  return [title, ...rows, ...block, foot ?? ''].filter((line) => line !== '').join('\n')
}
