/** A value that must be asked for: a log line, an inspection or JSON of whatever holds it shows nothing. */
export interface Secret<Value = string> {
  reveal(): Value
  toString(): string
  toJSON(): string
}

/** Wraps a value so that it can be passed around without being seen. */
export function secret<Value = string>(value: Value): Secret<Value> {
  return Object.freeze({ reveal: () => value, toString: hidden, toJSON: hidden })
}

function hidden(): string {
  return '[secret]'
}
