import { hash } from 'node:crypto'
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import * as z from 'zod'
import packageJson from '../../../package.json' with { type: 'json' }
import { longestLine } from '../../core/commands/parse.ts'
import { type Language, say, type Words } from '../../core/model/words.ts'
import type { ApiReply, ProgramProposal } from './calls.ts'
import { refusedView } from './problem.ts'
import { answerText, type RequestView } from './views.ts'

/** What the tools call: the API in this process or over HTTP. `meta`: the metadata that the client sent. */
export interface McpDoor {
  query(line: string, meta: unknown): Promise<ApiReply>
  propose(proposal: ProgramProposal, meta: unknown): Promise<ApiReply>
  request(id: string, meta: unknown): Promise<ApiReply>
}

export interface McpOptions {
  /** The table of commands, as Markdown. */
  readonly manual: string
  readonly language: Language
  /** Passed in, so that this bundle does not contain the catalog again. */
  readonly write: (words: Words, language: Language) => string
}

const instructions = `Lamplighter lists, starts, stops, scales and patches GPU endpoints. You propose changes; people decide about each one in Slack.
A line is a command such as "status my-llm" or "stop my-llm": the resource lamplighter://manual lists them, and "list" the endpoints. Try a change with explain, propose it with your reason, tell your person the link, and ask for the request later, not in a loop: people may take hours.
You cannot answer, approve or decline anything. Do not propose again what was refused, declined or cancelled, not even in other words, unless your user asks you to.`

const line = z.string().min(1).max(longestLine)

/** The parts of every tool's answer that a program may rely on. */
const outputSchema = z.looseObject({
  id: z.string().optional(),
  status: z.string().optional().describe('As awaiting, running, succeeded, failed, refused or declined.'),
  open: z.boolean().optional().describe('False once nothing changes any more.'),
  says: z.string().optional(),
  perhaps: z.array(z.string()).optional().describe('To be corrected: lines that may be meant.'),
  why: z.string().optional().describe('Why a call was not taken, in a word.'),
  answer: z.looseObject({ title: z.string(), items: z.array(z.looseObject({ text: z.string() })) }).optional(),
})

const reads = { outputSchema, annotations: { readOnlyHint: true, openWorldHint: false } }

/** Answers one MCP request over HTTP from a known caller. Nothing is kept between requests. */
export function answerMcp(request: Request, door: McpDoor, options: McpOptions): Promise<Response> {
  // Nothing changes here that a client could subscribe to.
  return createMcpHandler(() => serverOn(door, options), { maxSubscriptions: 0 }).fetch(request)
}

/** Serves MCP on standard input and output. Returns once the client has closed them. */
export async function serveMcp(door: McpDoor, options: McpOptions): Promise<void> {
  const closed = new Promise((resolve) => void process.stdin.once('close', resolve).once('end', resolve))
  const served = serveStdio(() => serverOn(door, options), { maxSubscriptions: 0 })
  await closed
  await served.close()
}

function serverOn(door: McpDoor, options: McpOptions): McpServer {
  const capabilities = { tools: { listChanged: false }, resources: { listChanged: false } }
  const { name, version } = packageJson
  const server = new McpServer({ name, title: 'Lamplighter', version }, { instructions, capabilities })
  const answered = async (reply: Promise<ApiReply>) => resultOf(await reply, options)

  server.registerTool(
    'look',
    {
      description:
        'Look something up with a query such as "list", "status my-llm", "schedules" or "history my-llm". Changes nothing and asks nobody.',
      inputSchema: z.strictObject({ line: line.describe('A query of the manual, such as "list running".') }),
      ...reads,
    },
    ({ line: query }, { mcpReq }) => answered(door.query(query, mcpReq._meta)),
  )
  server.registerTool(
    'explain',
    {
      description:
        'Dry run of a change: what "stop my-llm" would do, which approval it needs and who can give it. Changes nothing and asks nobody.',
      inputSchema: z.strictObject({ line: line.describe('The change, such as "stop my-llm".') }),
      ...reads,
    },
    ({ line: change }, { mcpReq }) => answered(door.query(`explain ${change}`, mcpReq._meta)),
  )
  server.registerTool(
    'propose',
    {
      description:
        'Propose a change, such as "stop my-llm". Nothing happens until people have confirmed it in Slack. Do not repeat a proposal that was refused, declined or cancelled. The same line and reason are one proposal, so it is safe to send them again after a lost answer.',
      inputSchema: z.strictObject({
        line: line.describe('One operation of the manual, such as "scale my-llm 2".'),
        reason: z
          .string({
            error: ({ code }) =>
              code === 'invalid_type' ? options.write(say('program.reasonMissing'), options.language) : undefined,
          })
          .max(300)
          .describe('Why, in a sentence that people read before they decide: what you saw, and who asked for it.'),
        key: z
          .string()
          .max(100)
          .optional()
          .describe('Only to propose the same again, for example on another day: the date.'),
      }),
      outputSchema,
      annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    ({ line: change, reason, key }, { mcpReq }) =>
      answered(door.propose({ line: change, reason, key: keyOf(change, key || reason), wait: 2 }, mcpReq._meta)),
  )
  server.registerTool(
    'request',
    {
      description:
        'What happened to a proposal: whether people still have to answer it, what they decided and why, and how it ended. Changes nothing.',
      inputSchema: z.strictObject({ id: z.string().min(1).max(64).describe('The id that propose returned.') }),
      ...reads,
    },
    // A request that ended badly is not a failure of this tool.
    async ({ id }, { mcpReq }) => {
      const reply = await door.request(id, mcpReq._meta)
      return { ...resultOf(reply, options), isError: reply.status >= 400 }
    },
  )
  server.registerResource(
    'manual',
    'lamplighter://manual',
    { title: 'Commands', description: 'Every command, with its kind: query or operation.', mimeType: 'text/markdown' },
    ({ href }) => ({ contents: [{ uri: href, mimeType: 'text/markdown', text: options.manual }] }),
  )
  return server
}

/** Returns the same key for the same words, so that a proposal is posted once, even if its answer was lost. */
function keyOf(change: string, apart: string): string {
  return `mcp-${hash('sha256', JSON.stringify([change.trim(), apart.trim()]), 'base64url')}`
}

/** The source of the text: the view of a request, or a problem. */
interface Body extends Partial<Omit<RequestView, 'status'>> {
  readonly status?: string | number
  readonly again?: boolean
}

/** Answers in one language, because a model needs no sentence twice. */
function resultOf({ status, body }: ApiReply, { language, write }: McpOptions) {
  const { id, open, again, already, says, quote, answer, link, about, perhaps, ...rest }: Body = body
  // A change that is already in effect was not refused.
  const isNo = already !== true && ['refused', 'declined', 'cancelled'].includes(String(rest.status))
  const text = [
    ...(again === true && open === false ? [write(say('program.over'), language)] : []),
    answer === undefined ? (says?.[language] ?? '') : answerText(answer[language]),
    quote ?? '',
    ...(perhaps ?? []).map((other) => `- ${other}`),
    ...(isNo ? [write(say(perhaps === undefined ? 'program.notAgain' : 'program.mend'), language)] : []),
    ...(id === undefined || answer !== undefined ? [] : [`request ${id}: ${rest.status ?? 'received'}`]),
    link ?? '',
    ...(about === undefined ? [] : [`request ${about.id}: ${about.status}`, about.link ?? '']),
  ]
  return {
    content: [{ type: 'text' as const, text: text.filter((one) => one !== '').join('\n') }],
    structuredContent: {
      ...(status < 400 ? body : refusedView(status, body)),
      ...(says !== undefined && { says: says[language] }),
      ...(answer !== undefined && { answer: answer[language] }),
    },
    ...((status >= 400 || isNo || rest.status === 'failed') && { isError: true }),
  }
}
