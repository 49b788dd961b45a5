/** Groups of events that a webhook may ask for. */
export const eventKinds = ['requests', 'automation', 'holds', 'lockdowns'] as const
export type EventKind = (typeof eventKinds)[number]

/** Who is told of events, as the policy file says. Its secret stands in the environment. */
export interface Webhook {
  /** How far it has come is remembered under this name. */
  readonly name: string
  readonly url: string
  /** Whether its address may be private. */
  readonly allowPrivate: boolean
  readonly kinds: readonly EventKind[]
  /** Patterns of the only endpoints that it is told of; all where left out. */
  readonly on?: readonly string[]
}
