import { confirmDialog, dispatchConfig, id, plainText } from './composition.ts'
import { type Check, flag, list, object, oneOf, text } from './shape.ts'

export type Fields = Readonly<Record<string, Check>>

/** The fields common to all interactive elements. */
export const common: Fields = { action_id: id, confirm: confirmDialog, focus_on_load: flag }
export const withPlaceholder: Fields = { ...common, placeholder: plainText(150) }
export const ids = list(text(255), 100)
export const style = oneOf('primary', 'danger')

export function element(type: string, required: Fields, optional: Fields, rule?: Parameters<typeof object>[2]): Check {
  return object({ type: oneOf(type), ...required }, optional, rule)
}

/** A field to type into. */
export function typed(type: string, extra: Fields = {}): Check {
  return element(
    type,
    {},
    { ...withPlaceholder, initial_value: text(3000, 0), dispatch_action_config: dispatchConfig, ...extra },
  )
}
