import { setTimeout as wait } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import { buildProduct, startChild } from '../support/child.ts'
import { effects, theEnd } from '../support/ends.ts'
import { timePassesUntil } from '../support/time.ts'
import { startTown } from '../support/town.ts'

/*
 * A plan of three calls (stop, change settings, start) whose worker dies around each of them. The stories run side by
 * side, since most of their time is that of a real lease: PLATFORM_TIMEOUT_MS and 10 s.
 */

const lease = 500 + 10_000

beforeAll(buildProduct)

const calls = ['stopEndpoint', 'patchEndpoint', 'startEndpoint'] as const
const moments = calls.flatMap((operation) =>
  (['before acting', 'before answering'] as const).map((when) => [operation, when] as const),
)

describe.concurrent('a worker killed in the middle of a patch', () => {
  test.for(moments)(
    'at %s, %s: every step at most once, and the endpoint runs in the end',
    { timeout: 90_000 },
    async ([operation, when], { onTestFinished }) => {
      const town = await startTown({ roles: ['bot'], env: { PLATFORM_TIMEOUT_MS: '500' } })
      onTestFinished(() => town.stop())
      const first = await startChild(town, 'worker')
      onTestFinished(() => first.stop())
      let killed = 0
      town.platform.onCall((call) => {
        if (call.operation !== operation || call.when !== when || killed > 0) return
        killed += 1
        first.signal('SIGKILL')
      })
      const ana = town.slack.as('U0ANA')
      await ana.types('ops', '/endpoint patch my-llm port=9000')
      await ana.presses('Patch my-llm', { in: 'ops' })
      expect(await first.gone).toBeNull()
      expect(killed).toBe(1)

      const second = await startChild(town, 'worker')
      onTestFinished(() => second.stop())
      await wait(lease)
      await timePassesUntil(
        town,
        ana.sees(/(Patched my-llm|I cannot tell whether the settings of my-llm took hold)/, { in: 'ops' }),
      )
      await timePassesUntil(town, town.calm())
      expect(effects(town)).toEqual(['stop', 'patch', 'start'])
      expect(town.platform.endpoints().find(({ id }) => id === 'ep-llm')).toMatchObject({
        active: true,
        settings: { container_port: 9000 },
      })
      // Settings can be read nowhere: only when the patch itself was lost from sight may its effect be in doubt.
      const sure = operation !== 'patchEndpoint'
      expect(theEnd(town)).toMatch(
        sure
          ? /^Patched my-llm \(container_port: 9000\); it is serving\./
          : /^I cannot tell whether the settings .* It runs again\./,
      )
      expect(second.log()).not.toContain('"level":"error"')
    },
  )
})
