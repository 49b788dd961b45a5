import { type Change, type IdleRule, idleKey, keyOf, type Rec, type Records } from './records.ts'

/** What a change writes anew or takes away, as it was; where an endpoint had no idle watch of its own, the team's. */
export function replacedBy({ put = [], drop = [] }: Change, records: Records, team: IdleRule | null): readonly Rec[] {
  return [...put.map(keyOf), ...drop].flatMap((key) => {
    const found = records.get(key)
    if (found !== undefined) return [found]
    return team !== null && key === idleKey(team.endpoint) ? [team] : []
  })
}
