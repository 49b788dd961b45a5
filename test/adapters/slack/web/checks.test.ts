import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type SlackSandbox, startSlack } from '../../../../sandbox/slack/start.ts'
import { unknownGroups } from '../../../../src/adapters/slack/web/checks.ts'
import { english, inEnglish } from '../../../support/words.ts'
import { clientOf } from '../sandboxed.ts'

let slack: SlackSandbox
beforeEach(async () => {
  slack = await startSlack({
    usergroups: [
      { id: 'S0OPS', handle: 'ops', users: ['U0ANA'] },
      { id: 'S0OLD', handle: 'old', users: ['U0ANA'], disabled: true },
    ],
  })
})
afterEach(() => slack.stop())

const ops = { id: 'S0OPS', at: 'lamplighter.yaml:9' }
const old = { id: 'S0OLD', at: 'lamplighter.yaml:10' }
const none = { id: 'S0NONE', at: 'lamplighter.yaml:11' }

describe('A user group of the policy', () => {
  test('that Slack knows is not reported', async () => {
    expect(inEnglish(await unknownGroups(clientOf(slack), [ops]))).toEqual([])
  })

  test('that does not exist or is disabled is reported with its place and what to do', async () => {
    expect(inEnglish(await unknownGroups(clientOf(slack), [ops, old, none]))).toEqual([
      'lamplighter.yaml:10 names group:S0OLD, which is disabled in Slack and counts as empty. Enable it, or name another group.',
      'lamplighter.yaml:11 names group:S0NONE, which isn’t a user group of this workspace and counts as empty. Copy the group’s id from Slack: it begins with S.',
    ])
  })

  test('can’t be looked up without the scope, which is reported once for all groups', async () => {
    slack.fault('usergroups.list', { kind: 'error', error: 'missing_scope' })
    expect(inEnglish(await unknownGroups(clientOf(slack), [ops, none, { ...old, at: ops.at }]))).toEqual([
      'lamplighter.yaml:9, lamplighter.yaml:11: the app lacks the usergroups:read scope, so user groups count as empty. Add the scope and reinstall the app.',
    ])
  })

  test('that can’t be looked up while Slack is down is reported, and nothing is thrown', async () => {
    slack.down()
    const [says = ''] = await unknownGroups(clientOf(slack), [ops])
    expect(english(says)).toMatch(
      /^lamplighter\.yaml:9: I can’t check the user groups right now \(.+\)\. Try again later\.$/,
    )
  })

  test('is not looked up if the policy names none', async () => {
    expect(inEnglish(await unknownGroups(clientOf(slack), []))).toEqual([])
    expect(slack.calls('usergroups.list')).toEqual([])
  })
})
