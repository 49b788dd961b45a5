/** Returns what `read` returns, or `other` if it throws. For reads that can fail for one reason only. */
export function unlessItFails<Value, Other>(read: () => Value, other: Other): Value | Other {
  try {
    return read()
  } catch {
    return other
  }
}
