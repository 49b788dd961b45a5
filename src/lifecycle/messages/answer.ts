import type { QueryAnswer } from '../../core/model/answer.ts'
import type { Note, Request } from '../../core/model/request.ts'
import { isSame, policyFile } from '../../core/model/roles.ts'
import { say } from '../../core/model/words.ts'
import { buttonsPart, type Draft, draft, offersPart, sentenceDraft, smallPart, textPart } from './draft.ts'

/** What one person is told about a request. */
export function noteOf({ says }: Note): Draft {
  return sentenceDraft(says)
}

/** What a query has come to: private with [Show here], or open to the channel with who asked. */
export function answerOf(request: Request, about: string | null): Draft {
  const { shown, ending, line, open, actor } = request
  if (shown === undefined) {
    const says = [ending?.says ?? '', ending?.told ?? '', ending?.quote === undefined ? '' : `“${ending.quote}”`]
    const link = about === null ? [] : [' ', { link: about, label: say('answer.goTo') }]
    return draft(says, [textPart(says, ...link), ...offersPart(ending?.offers)])
  }
  const { says, parts } = answerDraft(shown)
  // What nobody asked for by name says how anybody may ask for it.
  const asked = isSame(actor, policyFile) ? smallPart(`/endpoint ${line}`) : smallPart({ person: actor }, line)
  if (open === true) return draft(says, [...parts, asked])
  // A file is only for whoever asked, so it is not offered to the channel.
  if (request.files !== undefined) return draft(says, parts)
  return draft(says, [...parts, buttonsPart({ label: say('answer.showHere'), does: 'show', value: line })])
}

/** An answer, called by its title; the chat says its rows as well. */
export function answerDraft(answer: QueryAnswer): Draft {
  return draft(answer.title, [{ kind: 'answer', answer }])
}
