import { isObject, type JsonObject, textAt } from '../json.ts'
import { checkBlocks, withIds } from '../validate/blocks.ts'
import { problem } from '../validate/shape.ts'
import type { Workspace } from '../workspace.ts'
import type { Args } from './args.ts'
import { Refusal, refusalWith } from './refusal.ts'

/** Slack truncates or refuses anything beyond these limits. */
const longestText = 40_000
const longestBlockText = 13_200

/** Reads and checks the blocks of a call; undefined if it has none. */
export function readBlocks(workspace: Workspace, args: Args): readonly JsonObject[] | undefined {
  const given = args.json('blocks', 'invalid_blocks_format')
  if (given === undefined) return undefined
  if (!Array.isArray(given)) throw new Refusal('invalid_blocks_format')
  const problems = [
    ...checkBlocks(given, 'message'),
    ...given.flatMap((one, at) =>
      isObject(one) && workspace.unknownBlocks.has(textAt(one, 'type') ?? '')
        ? [problem('unsupported type', `/blocks/${at}`)]
        : [],
    ),
  ]
  if (problems.length > 0) throw refusalWith('invalid_blocks', problems)
  const blocks = withIds(given.filter(isObject), workspace.ids)
  if (lengthOfTexts(blocks) > longestBlockText) throw new Refusal('msg_blocks_too_long')
  return blocks
}

/** Reads the text of a call. `longest` is in characters. */
export function readText(args: Args, longest = longestText): string | undefined {
  const text = args.text('text')
  // Nothing here draws these or finds the mentions in them.
  if (args.all['attachments'] !== undefined) throw new Refusal('invalid_attachments')
  if (args.all['markdown_text'] !== undefined) throw new Refusal('invalid_arguments')
  if (text !== undefined && text.length > longest) throw new Refusal('msg_too_long')
  return text
}

/** Reads the metadata of a call: an event's name and its payload. */
export function readMetadata(args: Args): JsonObject | undefined {
  const given = args.json('metadata', 'invalid_metadata_format')
  if (given === undefined) return undefined
  if (!isObject(given)) throw new Refusal('invalid_metadata_format')
  if (textAt(given, 'event_type') === undefined || !isObject(given['event_payload']))
    throw new Refusal('invalid_metadata_schema')
  return given
}

function lengthOfTexts(value: unknown): number {
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + lengthOfTexts(one), 0)
  if (!isObject(value)) return 0
  const own = textAt(value, 'text')?.length ?? 0
  return own + Object.values(value).reduce<number>((sum, one) => sum + lengthOfTexts(one), 0)
}
