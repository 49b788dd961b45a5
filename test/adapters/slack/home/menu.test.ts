import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../sandbox/slack/json.ts'
import { checkBlocks } from '../../../../sandbox/slack/validate/blocks.ts'
import { type MenuOf, type MenuPage, menu, menuView } from '../../../../src/adapters/slack/home/menu.ts'
import type { Endpoint } from '../../../../src/core/model/endpoint.ts'
import type { Role } from '../../../../src/core/model/roles.ts'
import { noRoleText } from '../../../../src/core/requests/authorize.ts'
import { commands, rows } from '../../../../src/features/command-table.ts'
import { stateOf } from '../../../../src/features/endpoints/state.ts'
import { asked, membersOf } from '../requests.ts'
import { linesOf } from '../showing.ts'

function menuOf(role: Role | null, more: Partial<MenuOf> = {}): MenuOf {
  return { commands, role, closed: role ? null : noRoleText(role), project: 'default', asks: [], ...more }
}

function shown(of: MenuOf, page: MenuPage = 'top'): readonly string[] {
  const { blocks } = menu(of, page, 'en')
  expect(checkBlocks(blocks as unknown as JsonObject[], 'message')).toEqual([])
  return linesOf({ blocks })
}

describe('A menu', () => {
  test('has only Korean buttons in Korean', () => {
    const { blocks } = menu(menuOf('admin'), 'more', 'ko')
    const labels = [
      ...JSON.stringify(blocks).matchAll(/"type":"button","text":\{"type":"plain_text","text":"([^"]+)"/g),
    ]
    expect(labels.length).toBeGreaterThan(30)
    expect(labels.map(([, label]) => label).filter((label) => !/[가-힣]/.test(label ?? ''))).toEqual([])
  })

  test('for a person without a role is one sentence that says how to get one', () => {
    for (const page of ['top', 'more'] as const) {
      expect(shown(menuOf(null), page)).toHaveLength(1)
      expect(shown(menuOf(null), page)[0]).toContain('You don’t have a role here')
    }
  })

  test('shows waiting requests, then a choice of endpoint, six commands and the way to the rest', () => {
    expect(shown(menuOf('operator'))).toEqual([
      'Nothing is waiting for you.',
      'Choose an endpoint to see what you can do with it.',
      '[List] [Start…] [Stop…] [Schedule…] [Idle stop…] [Savings] [More…]',
      'You can also type any command. /endpoint help lists them.',
    ])
    const open = [asked({}), asked({}), asked({})].map((one, at) => ({ ...one, id: `${at}`.repeat(22) }))
    const asks = [{ project: 'default', mayAnswer: () => true, membersOf, open }]
    const lines = shown(menuOf('operator', { asks }))
    expect(lines[0]).toBe('3 requests are waiting for you.')
    expect(lines).toContain('1 more on the Home tab.')
    expect(lines.filter((line) => line.startsWith('Stop my-llm?'))).toHaveLength(2)
  })

  test('shows every command of a role on its second page, in groups', () => {
    const labels = menuLabels('admin')
    expect(labels).toHaveLength(rows.length - 1)
    expect(menuLabels('viewer')).not.toContain('Stop…')
    expect(shown(menuOf('viewer'), 'more').join()).toMatch(/\d+ more commands need a role you don’t have here\./)

    function menuLabels(role: Role): readonly string[] {
      return shown(menuOf(role), 'more')
        .flatMap((line) => [...line.matchAll(/\[([^\]]+)\]/g)].map(([, one = '']) => one))
        .slice(0, -1)
    }
  })

  test('of an endpoint shows what its viewer can do in its current state', () => {
    const llm = { id: 'ep-1', name: 'my-llm', active: true, replicas: 3 }
    const about = (endpoint: Endpoint) => ({ endpoint, state: stateOf(endpoint), pauses: [] })
    expect(shown(menuOf('operator'), about(llm))).toEqual([
      '🟢 *my-llm*\nrunning · 3 replicas',
      '[Stop] [Restart] [Scale…] [Patch…]',
      '[Schedule…] [Idle stop…] [Pause automation…] [Protect…]',
      '[Status] [Replicas] [Logs] [Schedules] [History]',
      '[Back to the menu]',
    ])
    const pauses = [
      { says: 'ana paused its automation until 18:00.', endedBy: 'resume' },
      { says: 'Automation is paused', endedBy: 'thaw' },
    ] as const
    expect(shown(menuOf('operator'), { ...about(llm), pauses }).slice(1, 5)).toEqual([
      'ana paused its automation until 18:00.',
      'Automation is paused',
      '[Stop] [Restart] [Scale…] [Patch…]',
      '[Schedule…] [Idle stop…] [Resume automation…] [Resume all automation…] [Protect…]',
    ])
    expect(shown(menuOf('viewer'), about({ ...llm, active: false })).slice(1, 2)).toEqual([
      '[Status] [Replicas] [Schedules] [History]',
    ])
  })

  test('in a modal keeps the channel it was opened in', () => {
    const view = menuView(menuOf('operator'), 'top', 'C0OPS', 'en')
    expect(JSON.parse(view.private_metadata ?? '')).toEqual({ channel: 'C0OPS', verb: '', project: 'default' })
  })
})
