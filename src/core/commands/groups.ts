import { type Sentence, say } from '../model/words.ts'
import type { Row } from './define.ts'

/** Rows by what people want of them, in the order of help and menu. What is in no list here stands in the last group. */
const groups = {
  endpoints: 'list status replicas logs start stop restart scale patch'.split(' '),
  automation: 'schedules schedule unschedule keep idle protect unprotect freeze thaw'.split(' '),
  requests: 'approve decline cancel undo break-glass away back'.split(' '),
}

/** The groups that have any of these rows. */
export function inGroups(rows: readonly Row[]): readonly { readonly title: Sentence; readonly rows: readonly Row[] }[] {
  const others = rows.filter(({ name }) => !Object.values(groups).some((names) => names.includes(name)))
  const among = (names: readonly string[]) => rows.filter(({ name }) => names.includes(name))
  return [
    { title: say('group.endpoints'), rows: among(groups.endpoints) },
    { title: say('group.automation'), rows: among(groups.automation) },
    { title: say('group.requests'), rows: among(groups.requests) },
    { title: say('group.others'), rows: others },
  ].filter((group) => group.rows.length > 0)
}
