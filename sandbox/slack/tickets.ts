import { randomBytes } from 'node:crypto'

/** Single-use tickets of socket addresses. */
export interface Tickets {
  issue(): string
  /** True once for each ticket that was issued. */
  redeem(ticket: string): boolean
}

export function createTickets(): Tickets {
  const open = new Set<string>()
  return {
    issue() {
      const ticket = randomBytes(16).toString('hex')
      open.add(ticket)
      return ticket
    },
    redeem: (ticket) => open.delete(ticket),
  }
}
