import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../sandbox/slack/json.ts'
import { checkBlocks } from '../../../../sandbox/slack/validate/blocks.ts'
import { behindOption, button, overflow } from '../../../../src/adapters/slack/kit/buttons.ts'
import { blocksOf } from '../../../../src/adapters/slack/messages/draw.ts'
import { lineButton } from '../../../../src/lifecycle/messages/draft.ts'

describe('A ⋯ menu', () => {
  test('carries the id and the value of each button in its option', () => {
    const menu = overflow([button('Logs', 'line:0', 'logs "my llm" lines=50'), button('Approve', 'answer:yes', 'r.1')])
    expect(menu?.options.map(({ value }) => behindOption(value ?? ''))).toEqual([
      { id: 'line:0', value: 'logs "my llm" lines=50' },
      { id: 'answer:yes', value: 'r.1' },
    ])
  })

  test('leaves out what does not fit, and is undefined if nothing fits', () => {
    const long = button('Logs', 'line:0', `logs ${'x'.repeat(150)}`)
    expect(overflow([long, button('Stop', 'line:1', 'stop a')])?.options).toHaveLength(1)
    expect(overflow([long])).toBeUndefined()
  })

  test('follows the buttons of a message, within Slack’s limits', () => {
    const more = Array.from({ length: 8 }, (_, at) => lineButton({ label: `Row ${at}`, line: `status ${at}` }))
    const stop = lineButton({ label: 'Stop a', line: 'stop a' })
    const blocks = blocksOf({ kind: 'buttons', buttons: [stop], more }, 'en')
    expect(checkBlocks(blocks as unknown as JsonObject[], 'message')).toEqual([])
    expect(blocks[0]).toMatchObject({ elements: [{ type: 'button' }, { type: 'overflow' }] })
  })
})
