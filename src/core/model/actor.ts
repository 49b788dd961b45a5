/** Who acts. Identity is team and user id, never a name. */
export interface Actor {
  readonly team: string
  readonly user: string
}

/** Where something was asked: a Slack channel id, opaque to the core. */
export interface Place {
  readonly channel: string
  /** Picked from afar rather than stood in, so whatever role the channel gives is not given by it. */
  readonly chosen?: boolean
}

/** In whose name the policy file's own rules act: it has been agreed to by whoever may change it. */
export const policyFile: Actor = { team: '', user: '' }

export function isSame(a: Actor, b: Actor): boolean {
  return a.team === b.team && a.user === b.user
}
