/** An answer: a status, and a body that is sent as JSON. */
export interface Reply {
  readonly status: number
  readonly body?: unknown
}

export interface Fault422 {
  readonly loc: readonly (string | number)[]
  readonly msg: string
  readonly type: string
}

/** Thrown to refuse a call, in the shape that a FastAPI service uses. */
export class Refusal extends Error implements Reply {
  override readonly name = 'Refusal'
  readonly status: number
  readonly body: { readonly detail: string | readonly Fault422[] }

  constructor(status: number, detail: string | readonly Fault422[]) {
    super(typeof detail === 'string' ? detail : 'invalid')
    this.status = status
    this.body = { detail }
  }
}
