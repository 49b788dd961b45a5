import { writeWord } from '../../core/commands/parse.ts'
import type { Offer } from '../../core/model/answer.ts'
import type { Endpoint } from '../../core/model/endpoint.ts'
import { say } from '../../core/model/words.ts'
import type { SentenceId } from '../../words/english.ts'

type What = SentenceId extends infer Id ? (Id extends `action.${infer One}` ? One : never) : never

/** A button that starts or stops an endpoint; by id, so that a rename cannot redirect it. */
export function startStopButtons({ active, id, name }: Endpoint): readonly Offer[] {
  if (active === null) return []
  const verb = active ? 'stop' : 'start'
  return [{ label: say(`endpoint.${verb}`, { name }), line: `${verb} ${writeWord(id)}` }]
}

/** What is done most with an endpoint as it stands, for the ⋯ beside its name.. */
export function rowActions(endpoint: Endpoint): readonly Offer[] {
  const { active } = endpoint
  const [first, second]: readonly [What, What] = active === false ? ['start', 'schedule'] : ['stop', 'restart']
  const few: readonly What[] = [
    first,
    second,
    ...(active === false ? (['history'] as const) : (['scale', 'logs'] as const)),
  ]
  return [...few.map((what) => actionOn(endpoint, what)), actionOn(endpoint, 'more')]
}

/** Everything that can be done with an endpoint as it stands, in groups. */
export function allActions(endpoint: Endpoint): readonly (readonly Offer[])[] {
  const isUp = endpoint.active !== false
  const operate: readonly What[] = [
    ...(endpoint.active === true ? [] : (['start'] as const)),
    ...(isUp ? (['stop', 'restart', 'scale'] as const) : []),
    'patch',
  ]
  const automate: readonly What[] = ['schedule', 'idle', 'keep', 'protect']
  const look: readonly What[] = ['status', 'replicas', 'logs', 'schedules', 'history']
  return [operate, automate, look].map((group) => group.map((what) => actionOn(endpoint, what)))
}

/** Those that take more than the endpoint, and those that are rarely meant as they stand. */
const forms: ReadonlySet<What> = new Set(['scale', 'patch', 'schedule', 'idle', 'keep', 'protect'])

function actionOn({ id }: Endpoint, what: What): Offer {
  const line = `${what === 'more' ? 'status' : what} ${writeWord(id)}`
  const opens = what === 'more' ? 'menu' : forms.has(what) ? 'form' : undefined
  return { label: say(`action.${what}`), line, ...(opens !== undefined && { opens }) }
}
