/** What a line would do, in sentences. */
export interface Explained {
  readonly title: string
  readonly items: readonly string[]
}

/** One thing that was looked over. `says` tells what was seen, or what to do. */
export interface Check {
  readonly name: string
  readonly well: boolean
  readonly says: string
}
