import { afterEach, test } from 'vitest'
import { asks, presses } from '../support/ops.ts'
import { policyOf, startTown, type Town } from '../support/town.ts'

/* Channels use the project's language; private answers use the reader's own. */

let town: Town
afterEach(() => town.stop())

const policy = policyOf(`
    language: ko
    roles: { viewer: [everyone], operator: [user:U0ANA, user:U0BEN] }
`)

test('Private answers are in the reader’s Korean while the channel stays English', async () => {
  town = await startTown({
    slack: {
      people: [
        { id: 'U0ANA', name: 'ana', locale: 'ko-KR' },
        { id: 'U0BEN', name: 'ben' },
      ],
    },
  })
  const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  await asks(ana, '중지 my-tts', 'my-tts는 이미 중지되어 있습니다.')
  await asks(ana, '목록', '엔드포인트 2개')
  await ana.types('ops', '/endpoint 중지 my-llm')
  // The button is in Korean in ana's private answer and in English in the thread.
  await ana.presses('my-llm 중지', { in: 'ops' })
  await ben.sees('Stopped my-llm', { in: 'ops' })
  await asks(ana, '시작 my-ll', '“my-ll”이라는 엔드포인트가 없습니다.')
  await ana.presses('my-llm 시작', { in: 'ops' })
  await ben.sees('Started my-llm', { in: 'ops' })
})

test('A Korean project posts in Korean and answers English speakers in English', async () => {
  town = await startTown({ policy })
  const [ana, ben] = [town.slack.as('U0ANA'), town.slack.as('U0BEN')]
  await ana.types('ops', '/endpoint stop my-llm')
  await presses(ben, 'my-llm 중지', /✅ my-llm을 중지했습니다[\s\S]+@ana 님이 요청 · @ben 님이 확인/)
  await asks(ben, 'stop my-llm', 'my-llm is already stopped.')
})
