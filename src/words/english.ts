import safeguards from './en/approvals-and-safeguards.json' with { type: 'json' }
import cards from './en/cards.json' with { type: 'json' }
import commands from './en/commands.json' with { type: 'json' }
import doctor from './en/doctor.json' with { type: 'json' }
import endpoints from './en/endpoints.json' with { type: 'json' }
import forms from './en/forms.json' with { type: 'json' }
import history from './en/history.json' with { type: 'json' }
import idle from './en/idle.json' with { type: 'json' }
import phrases from './en/phrases.json' with { type: 'json' }
import programs from './en/programs.json' with { type: 'json' }
import requests from './en/requests.json' with { type: 'json' }
import schedules from './en/schedules.json' with { type: 'json' }
import steps from './en/steps.json' with { type: 'json' }

/**
 * Every sentence that people read, in English: ICU messages by id.
 *
 * - `approvals-and-safeguards`: approvals, delegation, freeze, protection, lockdown, undo
 * - `cards`: a request's card and its questions: the endpoint's state, what is needed and why
 * - `commands`: parsing of lines; help and whoami; `summary` says what a command does, `effect` what its first example does
 * - `doctor`: its checks, results and remedies; mistakes in the policy file, most of which follow a place in it
 * - `endpoints`: answers and refusals of the commands for endpoints
 * - `forms`: the Home, and forms: the labels of fields, which error messages use too, and their hints
 * - `history`: history, savings, logs, events and the calendar
 * - `idle`: idle rules: answers, notices, and the evidence for use
 * - `phrases`: names of operations: `ask` in a question and on its button, `doing` while it is under way, `done` at its
 *   end, `leave` on the button that says no, `press` on a button where `ask` is too long, `title` on its form and `submit`
 *   on the form's button
 * - `programs`: their tokens, their permissions, and the answers they get
 * - `requests`: answers and messages that any request may have
 * - `schedules`: answers, notices and lists; until when a decision holds and why
 * - `steps`: progress of a request: failed calls, compensation, last known states; and explain
 */
export const english = {
  ...safeguards,
  ...cards,
  ...commands,
  ...doctor,
  ...endpoints,
  ...forms,
  ...history,
  ...idle,
  ...phrases,
  ...programs,
  ...requests,
  ...schedules,
  ...steps,
}

export type SentenceId = keyof typeof english
