import { linesOf } from '../flatten.ts'
import type { JsonObject } from '../json.ts'
import type { Answer } from '../link.ts'
import { post } from '../messages.ts'
import { escapeTyped } from '../mrkdwn/typed.ts'
import type { CommandOption } from '../options.ts'
import { applyResponse } from '../response-urls.ts'
import type { Slack } from '../slack.ts'
import { Refusal } from '../web-api/refusal.ts'
import type { Channel, Person } from '../workspace.ts'
import { payloadChannel } from './payload.ts'
import { channelNamed } from './places.ts'

/** The user as which Slack itself speaks, to one person only. */
export const slackbot = 'USLACKBOT'

export interface TypingOptions {
  /** ts of the parent of a thread. */
  readonly thread?: string
}

/**
 * Types a line and sends it. A command goes to the app; anything else becomes a message. Resolves once the app has
 * answered or Slack gave up, with what was shown privately as a result ('' for nothing).
 */
export async function type(
  slack: Slack,
  person: Person,
  where: string,
  line: string,
  options: TypingOptions = {},
): Promise<string> {
  const { workspace } = slack
  const channel = channelNamed(workspace, person, where)
  if (!channel.members.has(person.id)) throw new Error(`${person.name} is not in #${channel.name}.`)
  if (!line.startsWith('/')) {
    const thread = options.thread === undefined ? {} : { threadTs: options.thread }
    post(workspace, { channel: channel.id, user: person.id, text: escapeTyped(workspace, line), ...thread })
    return ''
  }
  const [, name = '', text = ''] = /^(\S+)\s*([\s\S]*)$/.exec(line.trim()) ?? []
  if (name === '/invite') return invite(slack, channel, person, text)
  const command = workspace.settings.commands.find((one) => one.command === name)
  if (!command)
    return tell(
      slack,
      channel,
      person,
      `${name} is not a valid command. In Slack, all messages that start with the "/" character are interpreted as commands.`,
    )
  if (options.thread !== undefined) return tell(slack, channel, person, `${name} is not supported in threads. Sorry!`)
  return await run(slack, person, channel, command, text)
}

/** Slack's own command. Only the app can be outside a channel here. */
function invite({ workspace }: Slack, channel: Channel, person: Person, named: string): string {
  const { botUserId, name } = workspace.settings.app
  const tellOnly = (text: string) => tell({ workspace }, channel, person, text)
  if (named.trim().toLowerCase() !== `@${name.toLowerCase()}`) return tellOnly(`Type /invite @${name}.`)
  if (channel.members.has(botUserId)) return tellOnly(`${name} is already in this channel.`)
  workspace.channels.set(channel.id, { ...channel, members: new Set([...channel.members, botUserId]) })
  workspace.news.tell('members', { channel: channel.id })
  post(workspace, {
    channel: channel.id,
    user: slackbot,
    text: `<@${person.id}> added <@${botUserId}> to this channel.`,
  })
  return ''
}

async function run(
  slack: Slack,
  person: Person,
  channel: Channel,
  command: CommandOption,
  text: string,
): Promise<string> {
  const { workspace } = slack
  const payload = commandPayload(slack, person, channel, command, text)
  const answer = await slack.send({ type: 'slash_commands', payload, acceptsAnswer: true })
  if (answer.kind !== 'acked')
    return tell(slack, channel, person, `${command.command} failed with the error "${answer.kind}"`)
  if (!answer.body) return ''
  try {
    applyResponse(workspace, { channel: channel.id, user: person.id }, answer.body)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return tell(slack, channel, person, `${command.command} failed with the error "invalid_command_response"`)
  }
  return privately(slack, answer)
}

function commandPayload(
  slack: Slack,
  person: Person,
  channel: Channel,
  command: CommandOption,
  text: string,
): JsonObject {
  const { workspace } = slack
  const { team, app, enterprise } = workspace.settings
  return {
    token: 'deprecated-verification-token',
    team_id: person.teamId,
    team_domain: person.teamId === team.id ? team.domain : 'elsewhere',
    channel_id: channel.id,
    channel_name: payloadChannel(channel).name,
    user_id: person.id,
    user_name: person.name,
    command: command.command,
    text: escapeTyped(workspace, text),
    api_app_id: app.id,
    ...(enterprise && { enterprise_id: enterprise.id, enterprise_name: enterprise.name }),
    is_enterprise_install: 'false',
    response_url: slack.responseUrls.issue({ channel: channel.id, user: person.id }),
    trigger_id: workspace.triggers.issue({ user: person.id, channel: channel.id }),
  }
}

function privately({ workspace }: Slack, answer: Answer): string {
  if (answer.kind !== 'acked' || !answer.body || answer.body['response_type'] === 'in_channel') return ''
  const blocks = Array.isArray(answer.body['blocks']) ? answer.body['blocks'] : []
  const text = answer.body['text']
  return linesOf(workspace, { text: typeof text === 'string' ? text : '', blocks }).join('\n')
}

/** Shows one person a message from Slack itself. */
function tell({ workspace }: Pick<Slack, 'workspace'>, channel: Channel, person: Person, text: string): string {
  post(workspace, { channel: channel.id, user: slackbot, text, ephemeralTo: person.id })
  return text
}
