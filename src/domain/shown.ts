/** A line as a button. */
export interface Offer {
  readonly label: string
  readonly line: string
}

/** A query's answer, as plain values; the chat decides how they look. */
export interface Shown {
  readonly title: string
  readonly items: readonly { readonly text: string; readonly detail?: string; readonly offers?: readonly Offer[] }[]
  readonly foot?: string
  readonly offers?: readonly Offer[]
}
