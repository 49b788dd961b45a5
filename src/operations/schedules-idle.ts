import { lasting } from '../domain/duration.ts'
import type { Watching } from '../domain/schedules.ts'
import type { Shown } from '../domain/shown.ts'
import { writeWord } from './words.ts'

/** How an endpoint is watched for idleness, as one of its rules: "idle after 1 h, told 10 min before". */
export function idleItem(
  { rule, resting }: Watching,
  { id, name }: { readonly id: string; readonly name: string },
): Shown['items'][number] {
  const { mode, after, warn, autoscaled, owner } = rule
  const even = autoscaled === true ? ', even where the platform scales it' : ''
  const how = mode === 'try' ? 'only tries: people read when it would be stopped' : `told ${lasting(warn)} before`
  return {
    text: mode === 'off' ? 'never stopped for idleness' : `idle after ${lasting(after)}, ${how}${even}`,
    who: owner,
    detail: resting ? 'rests: whoever made it may not operate here any more' : name,
    ...(mode !== 'off' && { offers: [{ label: 'Switch its idle watch off', line: `idle ${writeWord(id)} off` }] }),
  }
}
