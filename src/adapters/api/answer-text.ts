import type { Effect, QueryAnswer } from '../../core/model/answer.ts'
import { memberText, personNamed } from '../../core/model/roles.ts'
import type { Language, Words } from '../../core/model/words.ts'
import { plainText } from '../../core/words/plain.ts'

/**
 * What a program gets of a query's answer. Instants are ISO 8601 in UTC. People are their Slack ids, user:U…, or group:S…
 * and the like where the policy names those.
 */
export type AnswerView = ReturnType<typeof answerView>

/** Buttons are the lines behind them; what opens a form or a menu is for people. */
export function linesOf(offers: QueryAnswer['offers'] = []): readonly string[] {
  return offers.flatMap(({ line, opens }) => (opens === undefined ? [line] : []))
}

export function answerView(answer: QueryAnswer, language: Language) {
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
  const iso = (ms: number) => new Date(ms).toISOString()
  return {
    ...effect,
    ...(whom !== undefined && { people: whom.map(memberText) }),
    ...(expires !== undefined && { expires: iso(expires) }),
    ...(at !== undefined && { at: iso(at) }),
    ...(until !== undefined && { until: iso(until) }),
  }
}

/** The same as lines of plain text. */
export function answerText({ title, items, block = [], foot }: AnswerView): string {
  const rows = items.map(({ text, detail, mark, through = '', people = [], decided }) =>
    [
      `- ${text}`,
      through === '' ? '' : `· ${through}`,
      people.join(', '),
      detail ?? '',
      decided === undefined ? '' : `· ${decided.says} ${decided.people.join(', ')}`,
      // Who declined it is said already.
      mark === undefined || decided !== undefined ? '' : `(${mark})`,
    ]
      .filter((part) => part !== '')
      .join(' '),
  )
  return [title, ...rows, ...block, foot ?? ''].filter((line) => line !== '').join('\n')
}
