import { describe, expect, test } from 'vitest'
import { menu, menuView } from '../../../../src/adapters/slack/home/menu.ts'
import { commands } from '../../../../src/features/command-table.ts'

describe('A menu', () => {
  test('for somebody without a role is a sentence that says how to come by one, and no empty list', () => {
    const { text, blocks } = menu(commands, { role: null, without: [] })
    expect(text).toContain('You don’t have a role here')
    expect(blocks).toHaveLength(1)
    const one = { role: 'viewer', without: ['back'] } as const
    expect(menu(commands, one).text).not.toContain('/endpoint back')
    expect(menu(commands, { ...one, without: [] }).text).toContain('/endpoint back')
    expect(menuView(commands, { role: null, without: [] }, 'default').blocks).toEqual(blocks)
  })
})
