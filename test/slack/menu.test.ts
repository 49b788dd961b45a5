import { describe, expect, test } from 'vitest'
import { menu, menuView } from '../../src/slack/menu.ts'

describe('A menu', () => {
  test('for somebody without a role is a sentence that says how to come by one, and no empty list', () => {
    const { text, blocks } = menu(null)
    expect(text).toContain('You have no role here')
    expect(blocks).toHaveLength(1)
    expect(menuView(null).blocks).toEqual(blocks)
  })
})
