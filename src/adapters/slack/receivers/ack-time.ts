import type { Meter } from '../../../core/ports/meter.ts'

const kinds = ['block_actions', 'block_suggestion', 'view_submission', 'view_closed', 'shortcut', 'event_callback']

/** The same answer to a delivery, with the time that it took. */
export function timedAck<Answer extends unknown[]>(
  body: Readonly<Record<string, unknown>>,
  { happened }: Pick<Meter, 'happened'>,
  ack: (...answer: Answer) => Promise<void>,
): (...answer: Answer) => Promise<void> {
  const since = performance.now()
  const delivery = 'command' in body ? 'command' : (kinds.find((kind) => kind === body['type']) ?? 'other')
  return async (...answer) => {
    await ack(...answer)
    happened('acknowledged', { delivery, seconds: (performance.now() - since) / 1_000 })
  }
}
