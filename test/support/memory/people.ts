import { noChannel, type Person } from '../../../src/core/model/roles.ts'
import type { People } from '../../../src/core/ports/services.ts'

export interface MemoryPerson {
  /** Deactivated people are `outside`. */
  membership: Person['membership']
  readonly groups: Set<string>
  /** If false, the chat cannot look this person up. */
  known: boolean
}

export interface MemoryPeople extends People {
  readonly persons: Map<string, MemoryPerson>
  /** Channels that can be looked up: the members of a private one, or null for a public one. */
  readonly channels: Map<string, Set<string> | null>
}

export const homeTeam = 'T0HOME'

/** People and channels of one workspace. Unknown people cannot be looked up; those of another workspace are outside. */
export function createMemoryPeople(): MemoryPeople {
  const persons = new Map<string, MemoryPerson>()
  const channels = new Map<string, Set<string> | null>()
  return {
    persons,
    channels,
    known: async (actor) => actor,
    async who({ team, user }) {
      const person = persons.get(user)
      if (person === undefined || !person.known) return null
      const membership = team === homeTeam ? person.membership : 'outside'
      return { user, membership: membership, groups: new Set(person.groups) }
    },
    async where({ channel }, { user }) {
      const found = channels.get(channel)
      if (found === undefined) return null
      return found?.has(user) === false ? noChannel : { channel, private: found !== null }
    },
    zoneOf: async () => 'UTC',
    languageOf: async () => null,
    namesOf: async () => null,
  }
}
