import { performance } from 'node:perf_hooks'
import type { Redis } from 'ioredis'
import { type Keys, keysOf, tagOf } from '../../src/adapters/redis/connection/keys.ts'
import { signerFor } from '../../src/adapters/redis/integrity/sign.ts'
import { createStore } from '../../src/adapters/redis/requests/store.ts'
import type { Endpoint } from '../../src/core/model/endpoint.ts'
import type { Policy } from '../../src/core/model/policy.ts'
import type { Hold, WeeklyRule } from '../../src/core/model/rules.ts'
import type { Services, Store } from '../../src/core/ports/services.ts'
import { readWindow } from '../../src/core/time/weekly-window.ts'
import { commands } from '../../src/features/command-table.ts'
import { desired } from '../../src/features/schedules/rules/desired-state.ts'
import { rulebookOf } from '../../src/features/schedules/rules/rulebook.ts'
import { createLog } from '../../src/log.ts'
import { plainPolicy } from '../support/policy.ts'
import { english } from '../support/words.ts'

export const perEndpoint = 3
/** ms since 1970. No window begins or ends in the hours after this, so that nothing has to be done. */
const begin = Date.UTC(2026, 10, 18, 2, 30)
const zones = ['Asia/Seoul', 'Europe/Berlin', 'America/New_York', 'UTC']
const owner = { team: 'T0BENCH', user: 'U0BENCH' }

const policy: Policy = {
  ...plainPolicy,
  roles: { viewer: [], operator: [{ kind: 'user', id: owner.user }], approver: [], admin: [] },
}

/** A project with many endpoints, each in the state that its rules want. `minutes`: how much time has passed. */
export interface RulesWorld {
  readonly keys: Keys
  readonly rules: readonly WeeklyRule[]
  minutes: number
  now(): number
  store(redis: Redis): Store
  /** Returns the services for a check. `makeList` makes a new list of endpoints, as from the network, untimed. */
  services(store: Store): Services
  makeList(): void
  hold(at: number): Hold
}

export function rulesWorld(count: number): RulesWorld {
  const tag = tagOf(`bench-rules-${count}`, 'default')
  const keys = keysOf(tag)
  const rules = Array.from({ length: count }, (_, at) => rulesOf(at)).flat()
  const now = () => begin + world.minutes * 60_000
  const clock = { now, monotonic: () => performance.now() }
  const book = rulebookOf(new Map(rules.map((rule) => [rule.id, rule])), policy, begin)
  const active = Array.from({ length: count }, (_, at) => {
    const { want } = desired(book.of({ id: idOf(at), name: idOf(at) }), begin)
    return want === 'up'
  })
  let list: readonly Endpoint[] = []
  const world: RulesWorld = {
    keys,
    rules,
    minutes: 0,
    now,
    store: (redis) =>
      createStore({
        commands,
        redis,
        keys,
        project: 'default',
        signer: signerFor({}, tag),
        clock,
        leaseMs: 20_000,
        skew: () => 0,
        log: createLog({ level: 'silent' }),
      }),
    services: (store) =>
      ({
        project: 'default',
        commands,
        policy: () => policy,
        operationsChannel: () => 'C0BENCH',
        people: {
          who: async () => ({ user: owner.user, membership: 'full', groups: new Set() }),
          where: async () => ({ channel: 'C0BENCH', private: false }),
        },
        platform: { list: async () => ({ kind: 'answered', answer: list }) },
        announce: async () => undefined,
        clock,
        log: console,
        store,
      }) as unknown as Services,
    makeList() {
      list = active.map((on, at) => ({ id: idOf(at), name: idOf(at), active: on, replicas: 1 }))
    },
    hold: (at) => ({
      kind: 'hold',
      id: `hold-${at}-${world.minutes}`,
      endpoint: idOf(at),
      at: now(),
      until: now() + 86_400_000,
      by: owner,
    }),
  }
  return world
}

/** Returns typical rules of a few teams, created one after another. */
function rulesOf(at: number): readonly WeeklyRule[] {
  const texts = [`up weekdays 0${7 + (at % 3)}:00-${16 + (at % 5)}:00`, 'up sat 10:00-14:00', 'down sun 02:00-06:00']
  return texts.slice(0, perEndpoint).map((text, nth) => {
    const [direction, ...words] = text.split(' ')
    const read = readWindow(words.join(' '))
    if ('wrong' in read) throw new Error(english(read.wrong))
    return {
      kind: 'weekly',
      id: `${idOf(at)}-${nth}`,
      endpoint: idOf(at),
      direction: direction === 'up' ? 'up' : 'down',
      window: read.window,
      zone: zones[at % zones.length] ?? 'UTC',
      owner,
      made: Date.UTC(2026, 0, 1) + at * 60_000,
    }
  })
}

function idOf(at: number): string {
  return `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
}
