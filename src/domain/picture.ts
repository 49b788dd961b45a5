/** Bars beside each other, each of parts one above the other: drawn when it is sent, so plain values until then. */
export interface Picture {
  /** Of the file: "savings.png". */
  readonly name: string
  readonly title: string
  /** A line below the title. */
  readonly says: string
  /** All that it shows, in words, for whoever does not see it. */
  readonly alt: string
  /** What the numbers are of: "h". */
  readonly unit: string
  /** The legend: what each part is, the lowest first. */
  readonly parts: readonly string[]
  /** From left to right; none of the values is negative. */
  readonly bars: readonly { readonly label: string; readonly values: readonly number[] }[]
}
