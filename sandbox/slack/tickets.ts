import { randomBytes } from 'node:crypto'

/** Single-use tickets for socket addresses. */
export interface Tickets {
  issue(): string
  /** Returns true once for each issued ticket. */
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
