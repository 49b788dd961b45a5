import { describe, expect, test } from 'vitest'
import { policyFile } from '../../../src/core/model/roles.ts'
import { type SentenceValues, say } from '../../../src/core/model/words.ts'
import { asText, rendered } from '../../../src/core/words/render.ts'
import { english } from '../../../src/words/english.ts'

const [ben, cleo, dana] = ['U0BEN', 'U0CLEO', 'U0DANA'].map((user) => ({ person: { team: 'T0TEAM', user } }))
const file = { person: policyFile }

test.each(['en', 'ko'] as const)('a stored sentence (%s) that lacks values is shown with gaps', (language) => {
  expect(asText(say('card.asker', { via: 'schedule' }), 'en')).toBe('schedule by …')
  for (const id of Object.keys(english) as (keyof typeof english)[]) expect(asText(say(id), language)).not.toBe('')
})

describe('In Korean', () => {
  test('typed times and durations are spelled out, but an endpoint named 4h is not', () => {
    const started = (length: string) => say('startFor.ask', { name: '4h', length, replicas: 0 })
    expect(asText(started('4h'), 'ko')).toBe('4시간 동안 4h 실행')
    expect(asText(started('90m'), 'ko')).toBe('1시간 30분 동안 4h 실행')
    expect(asText(started('4h'), 'en')).toBe('Start 4h for 4 h')
    const stopped = (at: string, kind: string) => say('stopAt.ask', { name: 'my-llm', at, kind })
    expect(asText(stopped('3h', 'length'), 'ko')).toBe('3시간 후 my-llm 중지 예약')
    expect(asText(stopped('19:00', 'typed'), 'ko')).toBe('19:00에 my-llm 중지 예약')
    expect(asText(stopped('fri 18:00', 'typed'), 'ko')).toBe('금요일 18:00에 my-llm 중지 예약')
    expect(asText(stopped('2026-12-24 18:00', 'typed'), 'ko')).toBe('2026-12-24 18:00에 my-llm 중지 예약')
  })

  test('weekdays and times are written as people write them', () => {
    const rule = (times: string) => say('schedule.to', { direction: 'up', times, place: 'Seoul' })
    expect(asText(rule('weekdays 09:00-20:00'), 'ko')).toBe('평일 09:00~20:00 실행, 한국 시간')
    expect(asText(rule('mon-wed,fri 09:00-12:00,13:00-18:00'), 'ko')).toBe(
      '월~수,금 09:00~12:00,13:00~18:00 실행, 한국 시간',
    )
    // The form in which older requests stored it.
    expect(asText(rule('weekends 22:00–06:00'), 'ko')).toBe('주말 22:00~06:00 실행, 한국 시간')
    expect(asText(rule('mon-fri 09:00-20:00'), 'en')).toBe('running mon–fri 09:00–20:00 Seoul time')
  })

  test('an amount in won ends in 원, and other currencies are written as in English', () => {
    const saves = (hour: string) => say('explain.saves', { hour })
    expect(asText(saves('₩4,464'), 'ko')).toBe('시간당 4,464원 절감됩니다.')
    expect(asText(saves('$2.25'), 'ko')).toBe('시간당 $2.25 절감됩니다.')
    expect(asText(saves('₩4,464'), 'en')).toBe('This saves ₩4,464 an hour.')
  })

  test('commands are separate parts, and the particles after them agree', () => {
    const any = [say('line.typed', { line: 'list' }), say('line.typed', { line: 'help' })]
    const [list, help] = [{ code: '/endpoint list' }, { code: '/endpoint help' }]
    expect(rendered(say('line.near', { near: { any } }), 'en')).toEqual(['Did you mean ', list, ' or ', help, '?'])
    expect(asText(say('line.near', { near: { any }, of: 'line' }), 'ko')).toBe(
      '이 명령을 찾으셨나요? /endpoint list 또는 /endpoint help',
    )
    expect(asText(say('line.near', { near: { any: ['speech', 'rerank'] } }), 'ko')).toBe(
      '혹시 speech 또는 rerank를 찾으셨나요?',
    )
    expect(asText(say('undo.notEndpoint', { word: 'keep', line: 'help' }), 'ko')).toContain('/endpoint help를 입력')
  })

  test('an operation has particles in a question, and none on a button or in quotes', () => {
    const stop = say('stop.ask', { name: 'code-llm' })
    expect(asText(say('ask.question', { deed: stop }), 'ko')).toBe('code-llm을 중지할까요?')
    expect(asText(say('ask.question', { deed: say('thaw.ask') }), 'ko')).toBe('모든 자동화를 재개할까요?')
    expect(asText(say('ask.question', { deed: say('unprotect.ask', { name: 'rerank' }) }), 'ko')).toBe(
      'rerank의 보호를 해제할까요?',
    )
    expect(
      asText(
        say('ask.question', { deed: say('stopAt.ask', { name: 'rerank', at: { at: 0 }, kind: 'instant' }) }),
        'ko',
      ),
    ).toMatch(/에 rerank를 중지하도록 예약할까요\?$/)
    const sooner = say('endRun.ask', { name: 'rerank', at: { at: 0 } })
    expect(asText(say('ask.question', { deed: sooner }), 'ko')).toMatch(/에 rerank의 실행을 종료할까요\?$/)
    const listed = say('request.listed', { what: say('ask.question', { deed: stop }) })
    expect(rendered(listed, 'ko')).toEqual([{ bold: 'code-llm을 중지할까요?' }])
    expect(asText(stop, 'ko')).toBe('code-llm 중지')
    expect(asText(say('undone.needless', { deed: stop }), 'ko')).toBe('code-llm 중지: 더 이상 필요하지 않습니다.')
    expect(asText([stop, '·', say('ask.question', { deed: stop })], 'ko')).toBe(
      'code-llm 중지 · code-llm을 중지할까요?',
    )
  })

  test('a question to approvers is shown as typed', () => {
    const asked = (mark: string) => asText(say('ask.approval', { question: '옮겨도 될까요', mark }), 'ko')
    expect([asked('yes'), asked('no')]).toEqual(['승인 요청: “옮겨도 될까요?”', '승인 요청: “옮겨도 될까요”'])
  })

  test('people are separated by commas, and a stand-in is named after the absent person', () => {
    if (ben === undefined || cleo === undefined || dana === undefined) throw new Error('Three people are needed.')
    const by = { all: [say('people.inPlace', { by: cleo, absent: ben }), dana] }
    expect(asText(say('card.agreed', { how: 'approved', by }), 'ko')).toBe(
      '@U0BEN 님을 대신한 @U0CLEO, @U0DANA 님이 승인',
    )
    expect(asText(say('card.agreed', { how: 'approved', by }), 'en')).toBe(
      'approved by @U0CLEO (for @U0BEN) and @U0DANA',
    )
  })

  test('the policy file is not treated as a person', () => {
    expect(asText(say('card.asker', { via: 'schedule', by: file }), 'ko')).toBe('정책 파일의 스케줄')
    expect(asText(say('rule.pausedBy', { by: file, until: 'fri' }), 'ko')).toBe(
      '정책 파일이 fri까지 자동화를 일시 중지했습니다.',
    )
    expect(asText(say('card.asker', { via: 'schedule', by: file }), 'en')).toBe('schedule by the policy file')
  })
})

test('Korean says where the prices come from, even if a source has none', () => {
  const known = say('prices.known', { own: 4, listed: 0 })
  expect(asText(known, 'ko')).toBe('가격 4개는 정책 파일에서, 0개는 플랫폼의 인스턴스 유형 목록에서 가져옵니다.')
})

test('what decides about an endpoint, and the reason for its last stop, are whole sentences in Korean', () => {
  const decided = (values: SentenceValues) =>
    asText(
      say('decided.of', { name: 'my-tts', end: 'set', until: '20:00', rule: '', skips: '', who: '', ...values }),
      'ko',
    )
  expect(decided({ state: 'left', next: 'none', by: 'hold', who: '@ana' })).toBe(
    'my-tts는 20:00까지 그대로 둡니다(@ana 님이 자동화를 일시 중지).',
  )
  expect(decided({ state: 'upSoon', next: 'down', by: 'once' })).toBe(
    'my-tts는 20:00까지 실행 중이어야 하며(일회성 요청), 이후 중지됩니다.',
  )
  expect(asText(say('decided.here', { end: 'open', state: 'down', next: 'none', by: 'freeze' }), 'ko')).toBe(
    '중지되어 있습니다(모든 자동화 일시 중지).',
  )
  const last = { name: 'my-tts', at: '21:48', ago: '1h', what: 'stopped', via: 'person', by: '@ana' }
  expect(asText(say('history.last', { ...last, because: 'yes', reason: 'done' }), 'ko')).toMatch(/ 사유: “done”\.$/)
})
