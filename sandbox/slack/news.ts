import type { Message } from './message.ts'

export interface NewsKinds {
  /** A post in a channel, a thread or a direct conversation. */
  readonly message: Message
  readonly ephemeral: Message
  readonly update: Message
  readonly delete: Message
  /** The app was added to a channel. */
  readonly members: { readonly channel: string }
  /** A Web API call was answered, or a fault swallowed its answer. */
  readonly call: { readonly method: string }
  /** The views of this person changed: a modal, or the app's Home. */
  readonly view: { readonly user: string }
  /** Slack itself shows a person a notice, outside any message. */
  readonly toast: { readonly user: string; readonly text: string }
}

export type NewsKind = keyof NewsKinds

export interface News {
  /** Listens to one kind of event. Returns a function that stops listening. */
  readonly on: <Kind extends NewsKind>(kind: Kind, listener: (what: NewsKinds[Kind]) => void) => () => void
  readonly tell: <Kind extends NewsKind>(kind: Kind, what: NewsKinds[Kind]) => void
  readonly onAny: (listener: (kind: NewsKind) => void) => () => void
}

export function createNews(): News {
  const listeners = new Map<NewsKind, Set<(what: never) => void>>()
  const everything = new Set<(kind: NewsKind) => void>()
  return {
    on(kind, listener) {
      const heard = listeners.get(kind) ?? new Set()
      listeners.set(kind, heard.add(listener))
      return () => heard.delete(listener)
    },
    tell(kind, what) {
      for (const listener of listeners.get(kind) ?? []) listener(what as never)
      for (const listener of everything) listener(kind)
    },
    onAny(listener) {
      everything.add(listener)
      return () => everything.delete(listener)
    },
  }
}
