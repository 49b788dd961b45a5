import { noChannel, type Person } from '../../../src/core/model/roles.ts'
import type { People } from '../../../src/core/ports/services.ts'

export interface MemoryPerson {
  /** Deactivated people are `outside`. */
  standing: Person['standing']
  readonly groups: Set<string>
  /** False: the chat cannot say who this is. */
  known: boolean
}

export interface MemoryPeople extends People {
  readonly persons: Map<string, MemoryPerson>
  /** Channels that can be looked up: who is in a private one, or null of one that is open to all. */
  readonly channels: Map<string, Set<string> | null>
}

export const homeTeam = 'T0HOME'

/** People and channels of one workspace; whoever is not in it, or of another one, cannot be found out or is outside. */
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
      const standing = team === homeTeam ? person.standing : 'outside'
      return { user, standing, groups: new Set(person.groups) }
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
