import { type Line, writeLine } from '../commands/parse.ts'
import { say, type Words } from '../model/words.ts'
import { maskOf } from '../text/redact.ts'

/** Why a line is not stored, and the line whose form asks for the same in a better way. */
interface SecretFound {
  readonly says: Words
  readonly form?: string
}

/** What to say of a line with a secret in it. `sealed`: a form has sealed the values that the line names. */
export function secretIn(line: Line, sealed: boolean): SecretFound | undefined {
  return (sealed ? undefined : unsealedIn(line)) ?? tokenIn(line)
}

/** Secret values are never typed, so a typed line that names some is answered by the way to the form. */
function unsealedIn({ row, values }: Line): SecretFound | undefined {
  const secret = Object.entries(row.fields).find(
    ([name, field]) => field.kind === 'secrets' && typeof values[name] === 'string',
  )
  if (secret === undefined) return undefined
  const [name, { label }] = secret
  return {
    says: say('secret.inForm', { field: label }),
    form: writeLine(row, { ...values, [name]: undefined }),
  }
}

const hide = maskOf()

/** Whatever looks like a token is not even stored: it would stand on a card and in the history. */
function tokenIn({ row, values, line }: Line): SecretFound | undefined {
  if (hide(line) === line) return undefined
  const rest = Object.fromEntries(Object.entries(values).filter(([, value]) => hide(String(value)) === String(value)))
  return { says: say('line.secret'), ...(row.kind === 'operation' && { form: writeLine(row, rest) }) }
}
