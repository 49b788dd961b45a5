import type { Webhook } from '../../core/model/policy.ts'
import { type Check, checkOf } from '../../core/model/query-answer.ts'
import { say } from '../../core/model/words.ts'
import type { EventPorts, WebhookState } from '../../core/ports/audit.ts'
import { longestTry, readIn, type Telling } from './deliver.ts'
import { isWanted } from './events-in.ts'

/** The most events counted, and the most entries read for it. */
const most = { events: 100, entries: 1_000 } as const

type Ports = Pick<EventPorts, 'after' | 'stateOf' | 'endOf' | 'isReady'>

/** Checks each webhook; empty if there is none. */
export async function webhookChecks(services: Telling, ports: Ports): Promise<readonly Check[]> {
  const { webhooks } = services.policy()
  if (webhooks.length === 0) return []
  const stands = await Promise.all(webhooks.map((webhook) => standOf(services, ports, webhook)))
  const says = stands.map((one) => one.says)
  return [checkOf(say('check.events'), stands.some(({ isWell }) => !isWell) ? says : null, says)]
}

async function standOf(services: Telling, ports: Ports, webhook: Webhook) {
  const now = services.clock.now()
  const delivery = await ports.stateOf(webhook.name)
  const { failing, lost, sentAt } = delivery ?? {}
  const isLost = lost !== undefined && now - lost.at < longestTry
  const waiting = delivery === null ? 0 : await countWaiting(services, ports, webhook, delivery)
  const { name } = webhook
  const isReady = ports.isReady(webhook)
  return {
    isWell: isReady && failing === undefined && !isLost,
    says: [
      say('events.stand', {
        name,
        sent: sentAt === undefined ? 'never' : 'once',
        ago: { lasting: now - (sentAt ?? now) },
        waiting,
        more: waiting >= most.events ? 'yes' : 'no',
      }),
      isReady ? '' : say('events.noSecret', { variable: webhook.secretEnv }),
      ...(failing === undefined || !isReady
        ? []
        : [say('events.failing', { why: failing.why, wait: { lasting: Math.max(0, failing.next - now) } })]),
      ...(isLost ? [say('events.lost', { ago: { lasting: now - lost.at }, why: lost.why })] : []),
    ],
  }
}

async function countWaiting(services: Telling, ports: Ports, webhook: Webhook, { seq, part }: WebhookState) {
  let [count, passed] = [0, part]
  for (const { entry } of await ports.after(seq, most.entries)) {
    const found = await readIn(services, ports, entry)
    if (found !== 'newer') count += found.slice(passed).filter((one) => isWanted(webhook, one)).length
    if (count >= most.events) return most.events
    passed = 0
  }
  return count
}
