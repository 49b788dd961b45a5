import { idWord } from '../../core/model/question.ts'
import type { Request } from '../../core/model/request.ts'
import type { ClaimedRequest, Services } from '../../core/ports/services.ts'

/** How soon to look again whether an earlier answer has been taken, ms. */
const soon = 300

/** Waits for an answer by command that came before a yes or the expiry and is still to be taken. Returns whether. */
export async function waitsForEarlier(services: Services, claim: ClaimedRequest): Promise<boolean> {
  const { request } = claim
  const [first] = claim.presses
  const { ask, nextAt } = request
  const now = services.clock.now()
  const isOver = first === undefined && ask !== undefined && ask.due === undefined && now >= ask.expiresAt
  const at = first?.yes === true ? first.at : isOver ? ask.expiresAt : undefined
  if (at === undefined || !(await isAnsweredBefore(services, request, at))) return false
  const isSoon = nextAt !== null && now < nextAt && nextAt <= now + soon
  if (!isSoon) await claim.move({ ...request, nextAt: now + soon }, [])
  return true
}

/** Whether an answer by command to a request, from before `at` (ms), is still to be taken. */
async function isAnsweredBefore({ store, commands }: Services, { id, endpoint }: Request, at: number) {
  const names = [id, endpoint?.id, endpoint?.name]
  return (await store.open()).some(({ status, line, receivedAt }) => {
    if (status !== 'received' || receivedAt >= at) return false
    const { row, values = {} } = commands.stored(line) ?? {}
    if (row?.kind !== 'operation' || row.deed === undefined || row.deed === 'undo') return false
    const word = String(values['request'])
    return names.includes(idWord.exec(word)?.[1] ?? word)
  })
}
