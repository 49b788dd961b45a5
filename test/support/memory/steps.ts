import fc from 'fast-check'
import { deaths, endpointNames, groups, policies, users } from './cast.ts'
import type { Trouble } from './platform.ts'
import { swept } from './stage.ts'
import { step } from './step.ts'
import { absence, answering, asking, pressing } from './steps-people.ts'

const passing = fc
  .tuple(
    fc.oneof(
      { weight: 8, arbitrary: fc.integer({ min: 1, max: 40 }).map((seconds) => seconds * 1_000) },
      { weight: 3, arbitrary: fc.integer({ min: 1, max: 8 }).map((minutes) => minutes * 60_000) },
      fc.constantFrom(3_600_000, 6 * 3_600_000, 86_400_000, 3 * 86_400_000),
    ),
    fc.nat(3),
    deaths,
  )
  .map(([ms, asleep, death]) =>
    step(`${ms / 1_000} s pass${asleep === 0 ? ' with nobody awake' : ''}`, death, async (stage) => {
      stage.clock.pass(ms)
      if (asleep !== 0) await swept(stage)
    }),
  )
const reloading = policies.map((policy) =>
  step(`the policy becomes ${JSON.stringify(policy)}`, null, (stage) => stage.rule(policy)),
)
const moving = fc
  .tuple(fc.constantFrom(...users, null, null, null, null), fc.constantFrom(...groups), fc.boolean(), fc.nat(7))
  .map(([one, group, joins, odd]) =>
    step(`${one ?? 'whoever was last'} ${joins ? 'joins' : 'leaves'} ${group} (${odd})`, null, ({ people, last }) => {
      const who = one ?? last
      const person = people.persons.get(who)
      if (person === undefined) return
      if (joins) person.groups.add(group)
      else person.groups.delete(group)
      // This person also joins or leaves the private channel that gives a role.
      const insiders = people.channels.get('C0PRIV')
      if (odd > 4) insiders?.[joins ? 'add' : 'delete'](who)
      // Sometimes a person leaves the workspace, comes back, or cannot be looked up.
      if (odd === 0 && who !== 'U0GUS') person.membership = 'outside'
      if (odd === 1 && who !== 'U0GUS' && who !== 'U0HAL') person.membership = 'full'
      person.known = odd !== 2
    }),
  )
const elsewhere = fc.tuple(endpointNames, fc.nat(3), fc.integer({ min: 1, max: 5 })).map(([on, what, n]) =>
  step(`the console changes ${on} (${what}, ${n})`, null, ({ platform }) => {
    const endpoint = [...platform.endpoints.values()].find((one) => one.name === on)
    if (endpoint === undefined) return
    if (what === 0) endpoint.active = !endpoint.active
    else if (what === 1) endpoint.replicas = n
    else if (what === 2) endpoint.autoscaled = !endpoint.autoscaled
    else endpoint.tags.push('prod')
  }),
)
const troubling = fc
  .constantFrom<Trouble>('refused', 'failed', 'unknown', 'lost', 'unreached')
  .map((trouble) => step(`the next call is ${trouble}`, null, ({ platform }) => void platform.troubles.push(trouble)))
const locking = fc.constant(
  step('a lockdown begins', null, ({ store, clock }) => {
    return store.write({ put: [{ kind: 'lockdown', at: clock.now(), why: 'Data was lost.' }] }, [])
  }),
)

/** Up to 50 random steps of people, the platform, the policy, the clock and dying workers. */
export const steps = fc.commands(
  [
    fc.oneof(
      { weight: 20, arbitrary: asking },
      { weight: 44, arbitrary: pressing },
      { weight: 12, arbitrary: answering },
      { weight: 5, arbitrary: absence },
      { weight: 18, arbitrary: passing },
      { weight: 6, arbitrary: reloading },
      { weight: 7, arbitrary: moving },
      { weight: 6, arbitrary: elsewhere },
      { weight: 2, arbitrary: troubling },
      { weight: 1, arbitrary: locking },
    ),
  ],
  { maxCommands: 50, size: 'max' },
)
