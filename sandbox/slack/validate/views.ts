import { isObject, type Json, type JsonObject, objectsAt } from '../json.ts'
import { checkBlocks, type Surface } from './blocks.ts'
import { id, plainText } from './composition.ts'
import { byType, type Check, flag, object, oneOf, problem, text } from './shape.ts'

/** Slack's limit for a whole view, in bytes of JSON. */
export const largestView = 250 * 1024

function blocks(surface: Surface): Check {
  return (value, at) => (Array.isArray(value) ? checkBlocks(value, surface, at) : [problem('must be an array', at)])
}

const common = { private_metadata: text(3000, 0), callback_id: text(255, 0) }

const modal = object(
  { type: oneOf('modal'), title: plainText(24), blocks: blocks('modal') },
  {
    ...common,
    submit: plainText(24),
    close: plainText(24),
    clear_on_close: flag,
    notify_on_close: flag,
    submit_disabled: flag,
  },
  submitWithInputs,
)

const home = object({ type: oneOf('home'), blocks: blocks('home') }, { ...common, title: id })

/** A modal with inputs must have a submit button. */
function submitWithInputs(view: JsonObject, at: string): readonly string[] {
  const fillable = objectsAt(view, 'blocks').some((block) => block['type'] === 'input')
  return fillable && view['submit'] === undefined ? [problem('missing required field: submit', at)] : []
}

/** Returns what is wrong with a view, each with its place, in Slack's words. */
export function checkView(view: Json | undefined, kind: 'modal' | 'home'): readonly string[] {
  if (!isObject(view)) return [problem('must be an object', '/view')]
  return byType(kind === 'modal' ? { modal } : { home })(view, '/view')
}
