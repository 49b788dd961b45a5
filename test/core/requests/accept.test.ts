import { describe, expect, test } from 'vitest'
import { noPrices, usualAutomation } from '../../../src/core/model/automation.ts'
import type { Press, Request } from '../../../src/core/model/request.ts'
import type { Role } from '../../../src/core/model/roles.ts'
import type { Bound, Received } from '../../../src/core/ports/services.ts'
import { accept, acceptAnswer, openForm } from '../../../src/core/requests/accept.ts'
import { acceptForm, type FormResult, type Submission } from '../../../src/core/requests/accept-form.ts'
import type { Arrival, ProjectGateway } from '../../../src/core/requests/gateway.ts'
import { requestIdOf } from '../../../src/core/requests/receive.ts'
import { commands } from '../../../src/features/command-table.ts'
import { ana, asked, start, stopping } from '../../adapters/slack/requests.ts'
import { english, sentenceIn } from '../../support/words.ts'

interface Doorway extends ProjectGateway {
  readonly stored: Request[]
  readonly pressed: Press[]
  readonly woken: string[]
}

interface Setting {
  readonly received?: Received
  readonly role?: Role | null
  readonly more?: Partial<ProjectGateway>
}

/** A project that records the requests and presses it receives, and answers as its storage would. */
function doorway(
  project: string,
  channels: readonly string[],
  { received = { kind: 'stored', workers: true }, role = null, more = {} }: Setting = {},
): Doorway {
  const stored: Request[] = []
  const pressed: Press[] = []
  const woken: string[] = []
  return {
    project,
    languageOf: async () => 'en',
    zoneOf: async () => null,
    automation: () => usualAutomation,
    namesOf: async () => null,
    channels: () => channels,
    isDirect: (channel) => channel === 'direct',
    operationsChannel: () => undefined,
    stored,
    pressed,
    woken,
    store: {
      async receive(request) {
        stored.push(request)
        return received
      },
      async press(press) {
        pressed.push(press)
        return received
      },
      load: async () => null,
      settingsOf: async () => null,
      holderOf: async () => null,
      records: async () => new Map(),
      open: async () => [],
      past: async () => ({ requests: [], more: false }),
      postsOf: async () => null,
      names: async () => null,
    },
    queue: {
      async wake({ id }) {
        woken.push(id)
      },
    },
    home: {
      coming: async () => [],
      saved: async () => null,
      running: async () => ({ prices: noPrices, idling: [] }),
      roleOf: async () => role,
      membersOf: () => [],
      answersOf: async () => () => false,
      undoable: async () => [],
    },
    ...more,
  }
}

/** A door that is not Slack: a terminal that hands in lines, forms and presses, and prints the replies. */
function terminal(...gateways: readonly ProjectGateway[]) {
  const context = { gateways, commands, clock: { now: () => start, monotonic: () => 0 } }
  const arrival = (typed: string, more: Partial<Arrival>): Arrival => {
    return { delivery: 'd1', typed, via: 'typed', actor: ana, channel: 'C0OPS', ...more }
  }
  return {
    line: async (typed: string, more: Partial<Arrival> = {}) => printed(await accept(context, arrival(typed, more))),
    fill: async (typed: string, more: Partial<Arrival> = {}) => printed(await openForm(context, arrival(typed, more))),
    press: async (value: string, more: Partial<Arrival> = {}) =>
      printed(await acceptAnswer(context, { ...arrival('', more), value, yes: true })),
    submit: async (line: string, secrets: Submission['secrets'] = [], more: Partial<Arrival> = {}) => {
      const read = commands.parse(line)
      if (read.kind !== 'line') throw new Error(`No form has ${line}.`)
      return printed(
        await acceptForm(context, arrival(read.read.line, { via: 'form', ...more }), { ...read.read, secrets }),
      )
    },
  }
}

function printed(result: FormResult): string {
  switch (result.kind) {
    case 'accepted':
      return 'accepted'
    case 'said':
      return result.form === undefined ? english(result.says) : `${english(result.says)} [${result.form}]`
    case 'answered':
      return [
        result.answer.title,
        ...result.answer.items.flatMap(({ text, usages = [] }) => [text, ...usages.map(({ line }) => line)]),
        result.answer.foot ?? '',
      ]
        .map(english)
        .join('\n')
    case 'form': {
      const { row, wrong, called, placeless } = result.form
      return [
        `form of ${row.name}`,
        english(wrong?.says ?? ''),
        english(called ?? ''),
        placeless === true ? 'Where?' : undefined,
      ]
        .filter(Boolean)
        .join(': ')
    }
    case 'which project':
      return `${result.opens} in ${result.among.join(' or ')}: ${result.line}`
    case 'wrong':
      return Object.entries(result.errors)
        .map(([field, says]) => `${field},${english(says)}`)
        .join()
    case 'preview':
      return `preview of ${result.row.name} ${result.preview.name}`
  }
}

/** A project with a running endpoint and a stopped one. */
function near(): Doorway {
  const endpoints = [
    { id: 'ep-tts', name: 'my-tts', active: true },
    { id: 'ep-code', name: 'code-llm', active: false },
  ]
  const plain = doorway('default', ['*'], { role: 'operator' })
  return { ...plain, store: { ...plain.store, names: async () => ({ at: start, endpoints }) } }
}

function contextOf(gateway: ProjectGateway) {
  return { gateways: [gateway], commands, clock: { now: () => start, monotonic: () => 0 } }
}

function arriving(typed: string): Arrival {
  return { delivery: 'd1', typed, via: 'typed', actor: ana, channel: 'C0OPS' }
}

/** Sentences with a time that no field can read. A start or stop would be made now. */
const losesItsTime = new Set([
  'make sure code-llm is on tonight',
  'keep my-tts off until tomorrow',
  'keep my-tts off tonight',
  'turn off my-tts at 1am tonight',
  'turn off my-tts at midnight tomorrow',
  'please turn off my-tts at half past six',
  'please start code-llm tomorrow at 9',
  'code-llm 다음 주 금요일까지 켜줘',
  'code-llm 다음주 금요일까지 켜줘',
  'code-llm 내일부터 금요일까지 켜줘',
  '오늘 code-llm 9시부터 18시까지 켜줘',
  'code-llm 12월 3일 9시부터 18시까지 켜줘',
  '모레 저녁 7시에 my-tts 꺼줘',
  'my-tts 낮 11시에 꺼줘',
  '12월 3일 저녁 7시에 my-tts 꺼줘',
  'turn off my-tts next friday at 6pm',
  'turn off my-tts at 6pm next friday',
  'turn off my-tts at 7pm next week',
  'turn off my-tts at 7pm in 2 days',
  'turn off my-tts at 7pm PST',
  'turn off my-tts the day after tomorrow at 7pm',
  'turn on code-llm tomorrow until 6pm',
  '내일 밤 1시에 my-tts 꺼줘',
  'code-llm 내일 3시까지 켜줘',
  'code-llm 2시간 뒤에 켜줘',
  'code-llm 9시 30분 켜줘',
  '내일 자정에 my-tts 꺼줘',
  'code-llm 세 시까지 켜줘',
  'turn on code-llm tomorrow at 9am for 3 hours',
  '내일 code-llm 두 시간만 켜줘',
])

describe('An incoming line', () => {
  test('is stored in its canonical spelling, and wakes a worker without a reply', async () => {
    const gateway = doorway('default', ['*'])
    expect(await terminal(gateway).line('DOWN my-llm  because=“moving”')).toBe('accepted')
    expect(gateway.stored).toEqual([
      {
        id: requestIdOf('d1'),
        project: 'default',
        kind: 'operation',
        line: 'stop my-llm because=moving',
        actor: ana,
        place: { channel: 'C0OPS' },
        via: 'typed',
        receivedAt: start,
        status: 'received',
        notes: [],
        nextAt: start,
      },
    ])
    expect(gateway.woken).toEqual([requestIdOf('d1')])
  })

  test('that cannot be parsed stores nothing and says so', async () => {
    const gateway = doorway('default', ['*'], { role: 'viewer' })
    expect(await terminal(gateway).line('stpo my-llm')).toBe('Did you mean /endpoint stop my-llm?')
    expect(await terminal(gateway).line('x'.repeat(3_000))).toBe(sentenceIn('line.tooLong', { most: 1_000 }))
    expect(gateway).toMatchObject({ stored: [], woken: [] })
  })

  test.each([
    ['kill my-tts', 'stop my-tts'],
    ['my-tts restrat', 'restart my-tts'],
    ['my-tts 재시자', 'restart my-tts'],
    ['stpo my-tts at 19:00', 'stop my-tts at 19:00'],
    ['turn my-tts off please', 'stop my-tts'],
    ['turn off my-tts at 19:00', 'stop my-tts at 19:00'],
    // A request in the form of a question.
    ['can you stop my-tts?', 'stop my-tts'],
    ['my-tts 꺼 줄래?', 'stop my-tts'],
    ['put my-tts to sleep', 'stop my-tts'],
    ['turn code-llm on', 'start code-llm'],
    ['make sure code-llm is on tonight', 'start code-llm'],
    ['resme my-tts', 'resume my-tts'],
    ['pause my-tts', 'keep my-tts'],
    ['pause my-tts until 18:00', 'keep my-tts until 18:00'],
    ['pause automation for my-tts until 18:00', 'keep my-tts until 18:00'],
    ['keep my-tts up until I’m back tomorrow', 'keep my-tts'],
    ['give my-tts 2 more hours', 'keep my-tts'],
    ['turn code on', 'start code-llm'],
    ['automation off', 'freeze'],
    ['keep my-tts alive until 18:00', 'keep my-tts until 18:00'],
    ['pause automation', 'freeze'],
    ['please pause everything', 'freeze'],
    ['pause everything until monday', 'freeze until monday'],
    ['keep everything until monday', 'freeze until monday'],
    ['resume everything', 'thaw'],
    ['전부 재개해줘', 'thaw'],
    ['자동화 전부 멈춰줘', 'freeze'],
    ['모든 자동화 일시 중지', 'freeze'],
    ['skip my-tts', 'keep my-tts'],
    ['extend my-tts by 2 hours', 'keep my-tts'],
    ['could you restart my-tts?', 'restart my-tts'],
    ['my-tts 다시 시작해줘', 'restart my-tts'],
    ['set replicas of my-tts to 3', 'scale my-tts to 3'],
    // People who want to prevent a stop are not offered one.
    ['nothing must stop my-tts', 'keep my-tts', 'protect my-tts'],
    ['please don’t stop my-tts', 'keep my-tts', 'protect my-tts'],
    ['never turn my-tts off', 'keep my-tts', 'protect my-tts'],
    ['my-tts을 끄지 마', 'keep my-tts', 'protect my-tts'],
    ['my-tts 꺼지면 안됨', 'keep my-tts', 'protect my-tts'],
    ['my-tts 안꺼지게 해줘', 'keep my-tts', 'protect my-tts'],
    ['code-llm 켜지면 안돼요', 'keep code-llm'],
    ['my-tts 안 꺼지게 해줘', 'keep my-tts', 'protect my-tts'],
    ['make sure my-tts doesn’t stop tonight', 'keep my-tts', 'protect my-tts'],
    ['make sure my-tts isn’t stopped', 'keep my-tts', 'protect my-tts'],
    ['my-tts 꺼지지 않게 해줘', 'keep my-tts', 'protect my-tts'],
    ['my-tts 끄지 않게 해줘', 'keep my-tts', 'protect my-tts'],
    ['my-tts 꺼지지 않도록 해줘', 'keep my-tts', 'protect my-tts'],
    ['오늘 밤에 끄지 않았으면 좋겠어', 'keep', 'protect'],
    ['my-tts 껐다 켜줘', 'restart my-tts'],
    ['my-tts 껐다가 다시 켜줘', 'restart my-tts'],
    // The denial of an automation is its end.
    ['오늘은 my-tts 자동중지 하지마', 'keep my-tts', 'idle my-tts'],
    ['don’t idle-stop my-tts', 'keep my-tts', 'idle my-tts'],
    ['유휴 정지 하지 마', 'keep', 'idle'],
    ['보호 하지 마 my-tts', 'unprotect my-tts'],
    ['don’t protect my-tts', 'unprotect my-tts'],
    ['don’t pause automation', 'thaw'],
    ['don’t stop my-tts on weekends', 'keep my-tts', 'protect my-tts'],
    ['postpone the stop of my-tts', 'keep my-tts'],
    ['code-llm 켜지 마', 'keep code-llm'],
    ['never start code-llm', 'keep code-llm'],
    ['my-tts 중지하지 마', 'keep my-tts', 'protect my-tts'],
    ['don’t start code-llm', 'keep code-llm'],
    ['my-tts 리스타트 해줘', 'restart my-tts'],
    // “off” used to end a pause, but it reads like a stop.
    ['keep my-tts off', 'resume my-tts', 'stop my-tts'],
    ['keep my-tts off until tomorrow', 'stop my-tts', 'keep my-tts until tomorrow'],
    ['keep my-tts off tonight', 'stop my-tts', 'keep my-tts'],
    ['leave my-tts off', 'keep my-tts'],
    ['start code-llm 2h', 'start code-llm for 2h'],
    ['start code-llm two hours replicas=2', 'start code-llm for 2h replicas=2'],
    ['시작 code-llm 2시간', 'start code-llm for 2h'],
    // “At night” and “when idle” do not mean a stop now, and “this weekend” does not mean a schedule.
    ['make sure my-tts is off at night', 'schedule my-tts down'],
    ['make sure my-tts is off on weekends', 'schedule my-tts down'],
    ['stop my-tts at night', 'schedule my-tts down'],
    ['keep my-tts off at night and on weekends', 'schedule my-tts down', 'keep my-tts'],
    ['keep my-tts up weekdays 09:00-18:00', 'schedule my-tts up', 'keep my-tts'],
    ['keep my-tts from going idle', 'keep my-tts'],
    ['keep my-tts from stopping at night', 'keep my-tts'],
    ['keep my-tts up from morning to night on weekdays', 'schedule my-tts up', 'keep my-tts'],
    ['stop my-tts when idle', 'idle my-tts'],
    ['shut down my-tts when no one is using it', 'idle my-tts'],
    ['remove the schedule of my-tts', 'unschedule my-tts'],
    ['delete my-tts’s schedule', 'unschedule my-tts'],
    ['remove the my-tts schedule', 'unschedule my-tts'],
    ['my-tts 스케쥴 지워줘', 'unschedule my-tts'],
    ['disable auto stop for my-tts', 'idle my-tts'],
    ['my-tts 자동 꺼짐 해제해줘', 'idle my-tts'],
    ['my-tts 자동 종료 꺼줘', 'idle my-tts'],
    ['stop the automation for my-tts', 'keep my-tts'],
    ['stop pausing my-tts', 'resume my-tts'],
    ['stop all automation', 'freeze'],
    // One wrong letter in a name does not hide the endpoint.
    ['turn my-ttss off', 'stop my-tts'],
    ['code-lm 켜줘', 'start code-llm'],
    ['turn off the schedule of my-tts', 'unschedule my-tts'],
    ['delete the schedule of my-tts', 'unschedule my-tts'],
    ['my-tts up at night', 'schedule my-tts up'],
    ['turn my-tts off on weekdays', 'schedule my-tts down'],
    ['my-tts schedule', 'schedule my-tts'],
    ['turn my-tts off if unused', 'idle my-tts'],
    ['turn off what nobody uses', 'idle'],
    ['안 쓰는 엔드포인트 꺼줘', 'idle'],
    ['my-tts off this weekend', 'stop my-tts'],
    ['turn off my-tts tonight at 10', 'stop my-tts at today 22:00'],
    ['turn off my-tts at 10:30 tonight', 'stop my-tts at today 22:30'],
    ['turn off my-tts at 1am tonight', 'stop my-tts'],
    ['turn off my-tts at noon', 'stop my-tts at 12:00'],
    ['turn off my-tts at midnight tomorrow', 'stop my-tts'],
    ['please stop my-tts in prod', 'stop my-tts'],
    ['turn off my-tts in two hours', 'stop my-tts at 2h'],
    ['turn off my-tts in 2h please', 'stop my-tts at 2h'],
    ['turn off my-tts by 6pm', 'stop my-tts at 18:00'],
    ['please turn off my-tts at half past six', 'stop my-tts'],
    ['my-tts 끌어올려', 'scale my-tts'],
    ['please start code-llm tomorrow at 9', 'start code-llm'],
    ['can someone shut my-tts down for the night', 'stop my-tts'],
    ['my-tts 주말에 꺼줘', 'schedule my-tts down'],
    ['my-tts 밤 10시부터 6시까지 켜 줘', 'schedule my-tts up'],
    ['my-tts 자동 중지 꺼줘', 'idle my-tts'],
    ['my-tts 끄면 안 돼', 'keep my-tts', 'protect my-tts'],
    ['my-tts 레플리카 3개로 늘려줘', 'scale my-tts to 3'],
    ['my-tts 레플리카 두 개로 줄여줘', 'scale my-tts to 2'],
    ['reduce my-tts to 1 replica', 'scale my-tts to 1'],
    ['오늘 밤 11시에 my-tts 꺼 줘', 'stop my-tts at today 23:00'],
    ['오늘 밤 1시에 my-tts 꺼줘', 'stop my-tts at 01:00'],
    ['code-llm 밤 1시 30분까지 켜줘', 'start code-llm until 01:30'],
    ['오늘 밤 12시에 my-tts 꺼줘', 'stop my-tts at 24:00'],
    ['내일 밤 1시에 my-tts 꺼줘', 'stop my-tts'],
    ['내일 정오에 my-tts 꺼줘', 'stop my-tts at tomorrow 12:00'],
    ['내일 자정에 my-tts 꺼줘', 'stop my-tts'],
    ['code-llm 내일 3시까지 켜줘', 'start code-llm'],
    ['code-llm 다음 주 금요일까지 켜줘', 'start code-llm'],
    ['code-llm 다음주 금요일까지 켜줘', 'start code-llm'],
    ['code-llm 내일부터 금요일까지 켜줘', 'start code-llm'],
    ['code-llm 9시부터 18시까지 켜줘', 'schedule code-llm up'],
    ['오늘 code-llm 9시부터 18시까지 켜줘', 'start code-llm'],
    ['code-llm 12월 3일 9시부터 18시까지 켜줘', 'start code-llm'],
    ['my-tts 22시 30분부터 6시까지 꺼줘', 'schedule my-tts down'],
    ['모레 저녁 7시에 my-tts 꺼줘', 'stop my-tts'],
    ['my-tts 낮 12시에 꺼줘', 'stop my-tts at 12:00'],
    ['my-tts 낮 11시에 꺼줘', 'stop my-tts'],
    ['12월 3일 저녁 7시에 my-tts 꺼줘', 'stop my-tts'],
    ['my-tts 안 쓰면 꺼줘', 'idle my-tts'],
    ['my-tts 꺼줘', 'stop my-tts'],
    ['오늘 저녁 7시에 my-tts 꺼줘', 'stop my-tts at today 19:00'],
    ['stop my-tts 7pm tomorrow', 'stop my-tts at tomorrow 19:00'],
    ['can you please stop my-tts at 7pm tomorrow?', 'stop my-tts at tomorrow 19:00'],
    ['could someone turn off my-tts tomorrow at 7pm', 'stop my-tts at tomorrow 19:00'],
    ['turn off my-tts this friday at 6 pm, please', 'stop my-tts at friday 18:00'],
    ['turn on code-llm until friday at 6pm', 'start code-llm until friday 18:00'],
    // Without their day, these times would be today's.
    ['turn off my-tts next friday at 6pm', 'stop my-tts'],
    ['turn off my-tts at 6pm next friday', 'stop my-tts'],
    ['turn off my-tts the day after tomorrow at 7pm', 'stop my-tts'],
    ['turn on code-llm tomorrow until 6pm', 'start code-llm'],
    ['turn off my-tts at 7pm next week', 'stop my-tts'],
    ['turn off my-tts at 7pm in 2 days', 'stop my-tts'],
    ['turn off my-tts at 7pm PST', 'stop my-tts'],
    ['중지 my-tts 내일 아침 9시', 'stop my-tts at tomorrow 09:00'],
    ['my-tts를 재시작해 주세요', 'restart my-tts'],
    ['code-llm 4시간만 켜줘', 'start code-llm for 4h'],
    ['code-llm 2시간 켜줘', 'start code-llm for 2h'],
    ['code 2시간 30분 동안 켜줘', 'start code-llm for 2h30m'],
    ['code-llm 3일간 켜줘', 'start code-llm for 3d'],
    ['code-llm 두 시간만 켜줘', 'start code-llm for 2h'],
    ['code-llm 한 시간 반 동안 켜줘', 'start code-llm for 1h30m'],
    ['code-llm 두시간반만 켜줘', 'start code-llm for 2h30m'],
    ['code-llm 세시간 동안 켜줘', 'start code-llm for 3h'],
    // What runs already gets an end, or is only kept until then.
    ['turn on my-tts for 2 hours', 'start my-tts for 2h', 'keep my-tts for 2h'],
    ['my-tts 두 시간만 켜줘', 'start my-tts for 2h', 'keep my-tts for 2h'],
    ['my-tts 오후 6시까지 켜줘', 'start my-tts until 18:00', 'keep my-tts until 18:00'],
    ['my-tts 내일까지 켜 둬', 'start my-tts until tomorrow', 'keep my-tts until tomorrow'],
    ['my-tts 오후 7시까지만 켜줘', 'start my-tts until 19:00', 'keep my-tts until 19:00'],
    ['turn off code-llm at 19:00', 'stop code-llm at 19:00'],
    ['can you start code-lm for two hours', 'start code-llm for 2h'],
    // None of these is the length of a run.
    ['code-llm 2시간 뒤에 켜줘', 'start code-llm'],
    ['code-llm 9시 30분 켜줘', 'start code-llm'],
    ['my-tts 두 시간 뒤에 꺼줘', 'stop my-tts at 2h'],
    ['my-tts 30분후에 꺼줘', 'stop my-tts at 30m'],
    ['my-tts 2시간 반 뒤 중지해줘', 'stop my-tts at 2h30m'],
    ['my-tts 자정에 꺼줘', 'stop my-tts at 24:00'],
    ['code-llm 세 시까지 켜줘', 'start code-llm'],
    ['turn on code-llm tomorrow at 9am for 3 hours', 'start code-llm for 3h'],
    ['내일 code-llm 두 시간만 켜줘', 'start code-llm for 2h'],
    ['code-llm 5일 켜줘', 'start code-llm'],
    ['my-tts 일시중지해줘', 'keep my-tts'],
    ['my-tts 꺼지는 거 미뤄줘', 'keep my-tts'],
    ['유지 my-tts 2h', 'keep my-tts'],
    ['my-tts 재개해줘', 'resume my-tts'],
    ['my-tts 보호 풀어줘', 'unprotect my-tts'],
    ['보호 해제해줘', 'unprotect'],
    ['보호 풀어줘 my-tts', 'unprotect my-tts'],
    ['my-tts 스케줄 없애줘', 'unschedule my-tts'],
    ['my-tts 설정 바꿔줘', 'patch my-tts'],
    ['set env var on my-tts', 'patch my-tts'],
    ['레플리카 하나 더 추가해 주세요', 'scale'],
    ['자동화 다 멈춰줘', 'freeze'],
    ['모두 얼려줘', 'freeze'],
    ['my-tts 얼려줘', 'keep my-tts'],
    ['code-llm켜줘', 'start code-llm'],
    ['my-tts꺼주세요', 'stop my-tts'],
    ['자동화 다시 켜줘', 'thaw'],
    ['동결 풀어줘', 'thaw'],
    ['my-tts 동결 해제해줘', 'resume my-tts'],
    ['my-tts 자동화 다시 켜줘', 'resume my-tts'],
    ['ben is away until friday', 'away until friday'],
    ['away tomorrow to @U02BEN0001', 'away until tomorrow to @U02BEN0001'],
    ['월요일까지 벤한테 승인 위임해줘', 'away until mon'],
    ['my-tts 오후 7시까지 유지해줘', 'keep my-tts until 19:00'],
    ['my-tts 다음 주 금요일까지 유지', 'keep my-tts'],
    ['나 다음 주 휴가야', 'away'],
    ['승인 요청해줘', 'ask'],
    ['승인 요청 급해요', 'ask "급해요"'],
    ['벤한테 승인 좀 받아줘', 'ask'],
    ['밤에 꺼줘', 'schedule'],
    ['comfyui 켜줘', 'start'],
    ['배포 중이니까 아무것도 끄지 마', 'freeze'],
    ['we are deploying, do not stop anything', 'freeze'],
    ['my-tts 그대로 둬', 'keep my-tts'],
    ['stop my-tts every evening', 'schedule my-tts down'],
    ['stop my-tts every friday', 'schedule my-tts down'],
    ['my-tts 저녁마다 꺼줘', 'schedule my-tts down'],
    ['run my-tts only during work hours', 'schedule my-tts up'],
    ['my-tts 업무 시간에만 켜줘', 'schedule my-tts up'],
  ])('%j is answered with the commands it may mean', async (typed, ...lines) => {
    const plain = near()
    const result = await accept(contextOf(plain), arriving(typed))
    if (result.kind !== 'said') throw new Error(`It was ${result.kind}.`)
    // A change of an endpoint is offered beside its state.
    const name = ['my-tts', 'code-llm'].find((one) => lines[0]?.includes(one))
    const [status, state] = [`status ${name}`, name === 'my-tts' ? 'running' : 'stopped']
    const meant = lines.filter((line) => line !== status).map((line) => `/endpoint ${line}`)
    const now = name === undefined ? '' : `${name} is ${state} now. `
    const isStart = lines[0]?.startsWith('start ') && !/까지|until/.test(typed)
    const onlyNow = 'I can’t start it at a later time, only now. To start it regularly, use /endpoint schedule.'
    const why = isStart ? onlyNow : 'I couldn’t read the time: check the form before you send it.'
    const lost = losesItsTime.has(typed) ? ` ${why}` : ''
    expect(english(result.says)).toBe(`${now}Did you mean ${meant.join(' or ')}?${lost}`)
    const isWhole = name === undefined || lines.includes(status)
    expect((result.offers ?? []).map(({ line }) => line)).toEqual(isWhole ? lines : [...lines, status])
    // A button's label names the endpoint that its line is about.
    for (const { label, line } of result.offers ?? [])
      for (const one of ['my-tts', 'code-llm'])
        expect(english(label).includes(one)).toBe(line.includes(one) && line !== status)
    expect(plain.stored).toEqual([])
  })

  test.each([
    'start code-llm and stop my-tts',
    'stop my-tts and start code-llm',
    'restart my-tts after code-llm is up',
  ])('%j names two endpoints, but not for one command', async (typed) => {
    const verb = typed.split(' ').slice(0, 2).join(' ')
    expect(await terminal(near()).line(typed)).toMatch(new RegExp(`^I don’t understand .* \\[${verb}\\]$`))
  })

  test.each([
    ['stop my-tts at 7pm next monday', 'stop my-tts'],
    ['stop my-tts next friday at 6pm', 'stop my-tts'],
    ['stop my-tts at 7pm the day after tomorrow', 'stop my-tts'],
    ['stop my-tts in 2h and 30m', 'stop my-tts'],
    ['stop my-tts at midnight on friday', 'stop my-tts'],
    ['stop my-tts tomorrow at midnight', 'stop my-tts'],
    ['start code-llm until 7pm next monday', 'start code-llm'],
    ['start code-llm until friday week replicas=2', 'start code-llm replicas=2'],
  ])('%j gets a form without the time, which may not be all of it', async (typed, form) => {
    const lost = 'I couldn’t read the time: check the form before you send it.'
    const answer = await terminal(near()).line(typed)
    expect(answer).toContain(lost)
    expect(answer).toMatch(new RegExp(`\\[${form}\\]$`))
  })

  test('about getting an endpoint back has nothing to do with a delegation', async () => {
    for (const typed of ['I want my-tts back', 'turn my-tts back on tomorrow at 9am'])
      expect(await terminal(near()).line(typed)).toMatch(
        /^my-tts is running now\. What would you like to do with my-tts\?/,
      )
    expect(await terminal(near()).line('I want code-llm back')).toMatch(/^code-llm is stopped now\./)
    expect(await terminal(near()).line('I want my-tts and code-llm back')).toBe(
      'I can only do that for one endpoint at a time. Which one?',
    )
    expect(await terminal(near()).line('I’m back from my holidays')).toBe('Did you mean /endpoint back?')
  })

  test('with a list of names leaves its comma out of the form', async () => {
    expect(await terminal(near()).line('stop my-tts, foo')).toMatch(
      /^I don’t understand “foo” here\..* \[stop my-tts\]$/,
    )
  })

  test.each([
    ['pending', 'Nothing is waiting for you.'],
    ['show approvals', 'Nothing is waiting for you.'],
    ['yes', 'Nothing is waiting for you.'],
    ['what waits for me?', 'Nothing is waiting for you.'],
    ['what needs my approval', 'Nothing is waiting for you.'],
    ['what does ben want', 'Nothing is waiting for you.'],
    ['승인해줘', 'Nothing is waiting for you.'],
    // Neither ends a delegation.
    [
      'start code-llm until I’m back',
      'End time must be a time such as 19:00, tomorrow 09:00, fri 18:00, 2026-12-24 or 4h, not “I’m”. For example: /endpoint start code-llm until fri 18:00',
    ],
    [
      'start code-llm when I’m back',
      'I don’t understand “when” here. Usage: /endpoint start <endpoint> [for 4h] [until fri 18:00] [replicas=<n>] [reason="…"]',
    ],
    [
      'start code-llm tomorrow at 9',
      'I don’t understand “tomorrow” here. Usage: /endpoint start <endpoint> [for 4h] [until fri 18:00] [replicas=<n>] [reason="…"] I can’t start it at a later time, only now. To start it regularly, use /endpoint schedule.',
    ],
    // This "시" tells no time.
    [
      '시작 code-llm 3시간 레플리카 2개',
      'I don’t understand “3시간” here. Usage: /endpoint start <endpoint> [for 4h] [until fri 18:00] [replicas=<n>] [reason="…"]',
    ],
    // Neither declines what waits nor scales.
    [
      'stop my-tts after an hour of no use',
      'I don’t understand “after” here. Usage: /endpoint stop <endpoint> [at 19:00] [reason="…"]',
    ],
    [
      'start code-llm for 2h with more replicas',
      'I don’t understand “with” here. Usage: /endpoint start <endpoint> [for 4h] [until fri 18:00] [replicas=<n>] [reason="…"]',
    ],
    // A night has no time to stop at.
    [
      'stop my-tts tonight',
      'Stop time must be a time such as 19:00, tomorrow 09:00, fri 18:00, 2026-12-24 or 4h, not “tonight”. For example: /endpoint stop my-tts at 19:00',
    ],
    ['take that back', 'You haven’t changed anything that can be undone.'],
    ['승인 대기중인 거 있어', 'Nothing is waiting for you.'],
    ['승인요청 있나요?', 'Nothing is waiting for you.'],
    ['승인요청 온 거 있어?', 'Nothing is waiting for you.'],
    ['취소 해줘', 'You have no open requests. Planned stops are under /endpoint schedules.'],
    ['cancel my stop', 'You have no open requests. Planned stops are under /endpoint schedules.'],
    ['never mind', 'You have no open requests. Planned stops are under /endpoint schedules.'],
    ['go ahead', 'Nothing is waiting for you.'],
    ['confirm', 'Nothing is waiting for you.'],
    ['start code-llm until 18h', '“18h” could mean 18:00 or 18 hours. Write until 18:00 or for 18h.'],
    ['keep my-tts until 20h', '“20h” could mean 20:00 or 20 hours. Write until 20:00 or for 20h.'],
    [
      'turn on code-llm and turn off my-tts',
      'I can only do that for one endpoint at a time. Which one?',
      'stop my-tts',
      'stop code-llm',
      'start my-tts',
      'start code-llm',
    ],
    ['forget it', 'You have no open requests. Planned stops are under /endpoint schedules.'],
    ['undo what I just did', 'You haven’t changed anything that can be undone.'],
    ['rename my-tts to foo', 'Lamplighter doesn’t rename endpoints. Type /endpoint help for all commands.'],
    ['delete my-tts', 'Lamplighter doesn’t delete endpoints. Type /endpoint help for all commands.'],
    ['zzz qqq', 'I don’t know the command “zzz”. Type /endpoint help for all commands.'],
    [
      'my-tts zzz',
      'my-tts is running now. What would you like to do with my-tts?',
      'status my-tts',
      'keep my-tts',
      'restart my-tts',
    ],
    ['my-tts on', 'my-tts is already running.', 'status my-tts', 'keep my-tts', 'restart my-tts'],
    ['stop everything tonight', 'I can only do that for one endpoint at a time. Which one?'],
    ['다 꺼 줘', 'I can only do that for one endpoint at a time. Which one?', 'stop'],
    ['전부 꺼', 'I can only do that for one endpoint at a time. Which one?', 'stop'],
    ['stop everything', 'I can only do that for one endpoint at a time. Which one?'],
    ['중지 모두', 'I can only do that for one endpoint at a time. Which one?'],
    ['모두 중지해 줘', 'I can only do that for one endpoint at a time. Which one?', 'stop'],
    [
      'turn my-tts and code-llm on',
      'I can only do that for one endpoint at a time. Which one?',
      'start my-tts',
      'start code-llm',
    ],
    [
      'stop my-tts, code-llm',
      'I can only do that for one endpoint at a time. Which one?',
      'stop my-tts',
      'stop code-llm',
    ],
    [
      'stop my-tts and code-llm please',
      'I can only do that for one endpoint at a time. Which one?',
      'stop my-tts',
      'stop code-llm',
    ],
    [
      '중지 my-tts code-llm',
      'I can only do that for one endpoint at a time. Which one?',
      'stop my-tts',
      'stop code-llm',
    ],
    [
      'start my-tts code-llm for 2h',
      'I can only do that for one endpoint at a time. Which one?',
      'start my-tts for 2h',
      'start code-llm for 2h',
    ],
    [
      'keep my-tts and code-llm up until 18:00',
      'I can only do that for one endpoint at a time. Which one?',
      'keep my-tts until 18:00',
      'keep code-llm until 18:00',
    ],
    [
      'scale my-tts and code-llm to 3',
      'I can only do that for one endpoint at a time. Which one?',
      'scale my-tts to 3',
      'scale code-llm to 3',
    ],
    [
      'stop my-tts and code-llm tomorrow at 7pm',
      'I can only do that for one endpoint at a time. Which one? I couldn’t read the time: check the form before you send it.',
      'stop my-tts',
      'stop code-llm',
    ],
    // No button stops what shall run on.
    ['turn off everything but my-tts', 'I can only do that for one endpoint at a time. Which one?', 'stop'],
    ['my-tts 빼고 다 꺼줘', 'I can only do that for one endpoint at a time. Which one?', 'stop'],
    [
      'keep my-tts up all night',
      'my-tts is running now. Did you mean /endpoint keep my-tts?',
      'keep my-tts',
      'status my-tts',
    ],
    [
      '주말에 my-tts랑 code-llm 꺼 줘',
      'I can only do that for one endpoint at a time. Which one?',
      'schedule my-tts down',
      'schedule code-llm down',
    ],
  ])('%j is answered with a sentence', async (typed, says, ...lines) => {
    const plain = near()
    const result = await accept(contextOf(plain), arriving(typed))
    if (result.kind !== 'said') throw new Error(`It was ${result.kind}.`)
    expect(english(result.says)).toBe(says)
    expect((result.offers ?? []).map(({ line }) => line)).toEqual(lines)
    expect(plain.stored).toEqual([])
  })

  test.each([
    ['why did my-tts stop?', 'history stopped my-tts'],
    ['why is code-llm still on?', 'history started code-llm'],
    ['who stopped what yesterday?', 'history stopped yesterday'],
    ['what stopped yesterday?', 'history stopped yesterday'],
    ['what did ben do today', 'history today who=ben'],
    ['what did ana do last week?', 'history week who=ana'],
    ['what did everyone do this week?', 'history week'],
    ['what did people do today?', 'history today'],
    ['what did Simone do?', 'history who=simone'],
    ['what did ben do on my-tts', 'history my-tts who=ben'],
    ['what happened on my-tts today', 'history today my-tts'],
    ['who left my-tts on overnight?', 'history started my-tts'],
    ['who turned on my-tts?', 'history started my-tts'],
    ['what changed since yesterday', 'history since=yesterday'],
    ['지난주에 뭐 했어?', 'history week'],
    ['저번 주에 뭐 했어?', 'history week'],
    ['ben이 오늘 뭐 했어?', 'history today who=ben'],
    ['지우가 어제 뭘 했지?', 'history yesterday who="지우"'],
    ['오늘은 뭐 했어?', 'history today'],
    ['누가 뭐 했어?', 'history'],
    ['am I an admin?', 'whoami'],
    ['what did I do?', 'history who=me'],
    ['내가 뭐 했어', 'history who=me'],
    ['내 요청 어떻게 됐어?', 'history who=me'],
    ['내 요청 상태 알려줘', 'history who=me'],
    ['what happened to my request?', 'history who=me'],
    ['what changed today', 'history today'],
    ['왜 code-llm이 돌고 있어?', 'history started code-llm'],
    ['code-llm 왜 돌고 있어?', 'history started code-llm'],
    ['my-tts 꺼지기 전에 알려줘', 'schedules my-tts'],
    ['what will happen tonight?', 'schedules'],
    ['my-tts 지금 누가 쓰고 있어?', 'status my-tts'],
    ['my-tts 끄면 얼마 아껴?', 'status my-tts'],
    ['how much would stopping my-tts save?', 'status my-tts'],
    ['how much would we save?', 'savings'],
    ['my-tts 끄려면 누구 승인 받아야 해?', 'whoami'],
    ['why did ben stop my-tts?', 'history stopped my-tts'],
    ['why doesn’t my-tts stop?', 'schedules my-tts'],
    ['why didn’t my-tts stop?', 'schedules my-tts'],
    ['why isn’t my-tts off?', 'history stopped my-tts'],
    ['why won’t my-tts start?', 'history started my-tts'],
    ['why isn’t my-tts running?', 'history started my-tts'],
    ['my-tts 왜 안 켜져?', 'history started my-tts'],
    ['my-tts는 왜 안 켜져 있어?', 'history started my-tts'],
    ['왜 my-tts 켜져 있어?', 'history started my-tts'],
    ['my-tts 왜 꺼져 있어?', 'history stopped my-tts'],
    ['my-tts 왜 꺼져있어?', 'history stopped my-tts'],
    ['my-tts 왜 켜져있지?', 'history started my-tts'],
    ['왜 안 꺼져', 'schedules'],
    ['my-tts 꺼지면 알려줘', 'schedules my-tts'],
    ['my-tts 왜 안 꺼지는 거야', 'schedules my-tts'],
    ['my-tts왜 안 꺼져?', 'schedules my-tts'],
    ['안 쓰는 엔드포인트 뭐 있어', 'list idle'],
    ['what happened this month', 'history'],
    ['when will my-tts stop', 'schedules my-tts'],
    ['when does my-tts stop?', 'schedules my-tts'],
    ['what stops tonight?', 'schedules'],
    ['why does my-tts stop?', 'schedules my-tts'],
    ['is my-tts going to stop tonight', 'schedules my-tts'],
    ['오늘 뭐 꺼져?', 'schedules'],
    ['when did my-tts stop?', 'history stopped my-tts'],
    ['who is using code-llm?', 'status code-llm'],
    ['what happens tonight', 'schedules'],
    ['what will stop tonight?', 'schedules'],
    ['what will start tomorrow?', 'schedules'],
    ['will my-tts stop tonight?', 'schedules my-tts'],
    ['will my-tts run tomorrow?', 'status my-tts'],
    ['is my-tts running?', 'status my-tts'],
    // A question about a state or about leave to change it is offered no change.
    ['isn’t code off?', 'status code-llm'],
    ['my-tts off?', 'status my-tts'],
    ['can I stop my-tts', 'explain stop my-tts'],
    ['am I allowed to restart my-tts?', 'explain restart my-tts'],
    ['can I use my-tts', 'status my-tts'],
    ['누가 my-tts 끌 수 있어?', 'explain stop my-tts'],
    ['내가 my-tts 켤 수 있나요?', 'explain start my-tts'],
    ['can I see the logs of my-tts', 'logs my-tts'],
    ['what did @U0BEN do today?', 'history today who=@U0BEN'],
    ['do I need to stop my-tts', 'status my-tts'],
    ['can my-tts have another replica?', 'status my-tts'],
    ['my-tts stop?', 'status my-tts'],
    ['중지 my-tts?', 'status my-tts'],
    ['won’t my-tts stop tonight?', 'status my-tts'],
    ['anything running?', 'list running'],
    ['should we stop my-tts?', 'status my-tts'],
    ['is it ok to stop my-tts?', 'status my-tts'],
    ['is there no traffic on my-tts?', 'status my-tts'],
    ['what’s the cost of my-tts', 'status my-tts'],
    ['aren’t all of them off?', 'list stopped'],
    ['code 꺼진 거 아니지', 'status code-llm'],
    ['my-tts 켜져 있나요', 'status my-tts'],
    ['my-tts 꺼도 되나요?', 'status my-tts'],
    ['my-tts 끄면 어떻게 되나', 'status my-tts'],
    ['my-tts 지금 꺼도 괜찮을까', 'status my-tts'],
    ['my-tts 꺼야 하나', 'status my-tts'],
    ['my-tts 꺼도 될지 알려줘', 'status my-tts'],
    ['my-tts 내려도 될까', 'status my-tts'],
    ['자동화 꺼져 있나요?', 'list'],
    ['status of my-tts please', 'status my-tts'],
    ['show me the logs of my-tts', 'logs my-tts'],
    ['my-tts 9시부터 10시까지 로그 보여줘', 'logs my-tts'],
    ['what is running?', 'list running'],
    ['뭐가 돌아가고 있어?', 'list running'],
    ['지금 뭐가 실행 중이야?', 'list running'],
    ['which endpoints are idle?', 'list idle'],
    ['give me the bill', 'list'],
    ['what are we paying right now', 'list'],
    ['cost', 'list'],
    ['how much did we save last week?', 'savings "last week"'],
    ['지난주 얼마나 아꼈어?', 'savings "last week"'],
    ['how much did we save today?', 'savings 1d'],
    ['how much did we save last month?', 'savings "last month"'],
    ['지난달 얼마나 아꼈어?', 'savings "last month"'],
    ['what do we spend and on what?', 'list'],
    ['how much do we spend', 'list'],
    ['지출이 얼마야?', 'list'],
    ['how much did we spend last week?', 'savings "last week"'],
    ['who am i', 'whoami'],
    ['who can approve', 'whoami'],
    ['who approves stops?', 'whoami'],
    ['show me what ben did', 'history who=ben'],
    ['when was my-tts stopped and by whom', 'history stopped my-tts'],
    ['was my-tts stopped by a schedule?', 'history stopped my-tts'],
    ['what failed today?', 'history today'],
    ['어제 무슨 일 있었어?', 'history yesterday'],
    ['my-tts 누가 승인했어?', 'history my-tts'],
    ['how much are we spending right now', 'list'],
    ['what did my-tts cost last month', 'savings "last month"'],
    ['my-tts isn’t responding', 'status my-tts'],
    ['my-tts does not work', 'status my-tts'],
    ['my-tts won’t start', 'status my-tts'],
    ['my-tts is down', 'status my-tts'],
    ['my-tts was already off', 'status my-tts'],
    ['code-llm keeps crashing', 'status code-llm'],
    ['who can stop my-tts?', 'explain stop my-tts'],
    ['who may restart code', 'explain restart code-llm'],
    ['who can see my-tts', 'whoami'],
    ['who can approve the stop of my-tts?', 'explain stop my-tts'],
    ['who can stop endpoints', 'whoami'],
    ['승인 누가 할 수 있어요?', 'whoami'],
    ['my-tts 끄는데 승인 필요해?', 'explain stop my-tts'],
    ['does stopping my-tts need approval?', 'explain stop my-tts'],
    ['스케쥴 보여줘', 'schedules'],
    ['show my-tts’s schedule', 'schedules my-tts'],
    ['give ben access', 'whoami'],
    ['my-tts 왜 꺼졌어?', 'history stopped my-tts'],
    ['어제 뭐 꺼졌어?', 'history stopped yesterday'],
    ['최근 3일 동안 누가 my-tts 껐어?', 'history stopped my-tts'],
    ['my-tts 언제 꺼져?', 'schedules my-tts'],
    ['my-tts 스케줄 보여줘', 'schedules my-tts'],
    ['my-tts 켜져 있어?', 'status my-tts'],
    ['my-tts 꺼진 거 맞아?', 'status my-tts'],
    ['my-tts 보호돼 있어?', 'status my-tts'],
    ['my-tts 켜지?', 'status my-tts'],
    ['my-tts 오늘 밤에 꺼지는 거 맞지?', 'schedules my-tts'],
    ['자동으로 꺼지는 거 다 보여줘', 'schedules'],
    ['my-tts 왜 이렇게 느려?', 'status my-tts'],
    ['노는 거 뭐 있어?', 'list idle'],
    ['이번 달에 얼마나 절약했어?', 'savings "this month"'],
    ['이번 달에 얼마 썼어?', 'savings "this month"'],
    ['이번주 얼마나 아꼈어?', 'savings "this week"'],
    ['how much did we save this week?', 'savings "this week"'],
    ['how much did we save this month?', 'savings "this month"'],
    ['뭐가 놀고 있어?', 'list idle'],
    ['뭐 할 수 있어?', 'whoami'],
    ['정책 알려줘', 'whoami'],
    // No endpoint has this name, which is what the answer says.
    ['who stopped image-gen?', 'history stopped image-gen'],
    ['누가 image-gen 껐어?', 'history stopped image-gen'],
    ['is image-gen running?', 'status image-gen'],
    ['is whisper3 up?', 'status whisper3'],
    ['image-gen은 왜 꺼졌어?', 'history stopped image-gen'],
    // These are no names.
    ['did Anna-Maria stop it?', 'list stopped'],
    ['who stopped everything?', 'history stopped'],
    ['who did the auto-stop?', 'history'],
    ['which long-running endpoints stopped?', 'history stopped'],
    ['is a100-80gb running?', 'list running'],
    ['is everything but image-gen running?', 'list running'],
    ['what did ci-bot do today?', 'history today'],
  ])('%j is a question and is answered as %s, but not if a program sends it', async (typed, line) => {
    const gateway = near()
    await accept(contextOf(gateway), arriving(typed))
    expect(gateway.stored.map((one) => one.line)).toEqual([line])
    const other = near()
    expect(await accept(contextOf(other), { ...arriving(typed), via: 'program' })).toMatchObject(
      typed.startsWith('status of') ? { kind: 'accepted' } : { kind: 'said' },
    )
  })

  test.each([
    ['please stop my-tts', 'stop my-tts'],
    ['logs from my-tts', 'logs my-tts'],
    ['history from yesterday', 'history yesterday'],
    ['history of today', 'history today'],
    ['token revoke ci from @U0BEN', 'token revoke ci of @U0BEN'],
    ['savings from last week', 'savings "last week"'],
    ['stop my-tts now please!', 'stop my-tts'],
    ['my-tts 중지', 'stop my-tts'],
    ['code-llm Start', 'start code-llm'],
    ['stop my-tts because the run is over', 'stop my-tts because="the run is over"'],
    ['start code-llm because of the demo until 6pm', 'start code-llm until 18:00 because="of the demo"'],
    ['decline my-tts because it is at work', 'decline my-tts because="it is at work"'],
    ['freeze because nobody looks at it', 'freeze because="nobody looks at it"'],
    ['start code-llm for 2 hours', 'start code-llm for 2h'],
    // That it is too long is said once the line is planned.
    ['start code-llm for 99999 hours', 'start code-llm for 99999h'],
    ['start code-llm for 2시간', 'start code-llm for 2h'],
    ['start code-llm until "내일 오후 7시"', 'start code-llm until tomorrow 19:00'],
    ['start code-llm for an hour because="demo"', 'start code-llm for 1h because=demo'],
    ['keep my-tts up until tomorrow at 9', 'keep my-tts until tomorrow 09:00'],
    ['keep my-tts on till monday 🙏', 'keep my-tts until monday'],
    ['keep my-tts untill monday', 'keep my-tts until monday'],
    ['keep my-tts until 오후 7시', 'keep my-tts until 19:00'],
    ['keep my-tts 오후 7시까지', 'keep my-tts until 19:00'],
    ['start code-llm until 내일 오후 7시 30분 because demo', 'start code-llm until tomorrow 19:30 because=demo'],
    ['savings last week', 'savings "last week"'],
    ['절감 지난주', 'savings "last week"'],
    ['목록 유휴', 'list idle'],
    ['목록 중지', 'list stopped'],
    ['기록 중지됨 어제', 'history stopped yesterday'],
    ['기록 거부', 'history refused'],
    ['savings last month', 'savings "last month"'],
    ['절감 지난달', 'savings "last month"'],
    ['idle my-tts 60m', 'idle my-tts after 60m'],
    ['idle my-tts 60 minutes on', 'idle my-tts on after 60m'],
    ['유휴 my-tts 60분', 'idle my-tts after 60m'],
    ['stop my-tts at 7pm tomorrow', 'stop my-tts at tomorrow 19:00'],
    ['stop my-tts tomorrow at 7pm', 'stop my-tts at tomorrow 19:00'],
    ['stop my-tts at 7pm tmrw', 'stop my-tts at tomorrow 19:00'],
    ['stop my-tts tmr at 7pm', 'stop my-tts at tomorrow 19:00'],
    ['please stop my-tts tonight at 10', 'stop my-tts at today 22:00'],
    ['stop my-tts at 10:30 pm tonight', 'stop my-tts at today 22:30'],
    ['keep my-tts until tonight at 22:30', 'keep my-tts until today 22:30'],
    ['일시중지 my-tts 오늘밤', 'keep my-tts tonight'],
    ['일시중지 my-tts 오늘 밤 because=데모', 'keep my-tts tonight because="데모"'],
    ['일시중지 my-tts 오늘 밤 10시까지', 'keep my-tts until today 22:00'],
    ['stop my-tts at noon', 'stop my-tts at 12:00'],
    ['stop my-tts tomorrow at noon', 'stop my-tts at tomorrow 12:00'],
    ['start code-llm until midnight', 'start code-llm until 24:00'],
    ['start code-llm with 3 replicas', 'start code-llm replicas=3'],
    ['please start code-llm for 2 hours with 1 replica', 'start code-llm for 2h replicas=1'],
    ['stop my-tts at tomorrow at 9.', 'stop my-tts at tomorrow 09:00'],
    ['stop my-tts on friday at 6pm because demo is over.', 'stop my-tts at friday 18:00 because="demo is over."'],
    ['stop the my-tts, please', 'stop my-tts'],
    ['keep my-tts until 6:30 pm on friday because demo', 'keep my-tts until friday 18:30 because=demo'],
    ['중지 my-tts 내일 저녁 7시에', 'stop my-tts at tomorrow 19:00'],
    ['중지 my-tts 오후 7시 30분에', 'stop my-tts at 19:30'],
    ['scale my-tts up to 3', 'scale my-tts to 3'],
    ['scale my-tts to 3 replicas', 'scale my-tts to 3'],
    ['scale up my-tts to 3 replicas', 'scale my-tts to 3'],
    ['scale my-tts down to 1 please', 'scale my-tts to 1'],
    ['stop the my-tts', 'stop my-tts'],
    ['stop the my-tts endpoint', 'stop my-tts'],
    ['please scale my code-llm server to 3 thanks', 'scale code-llm to 3'],
    ['start code-llm please and thank you very much', 'start code-llm'],
    ['중지 my-tts 엔드포인트 제발요', 'stop my-tts'],
    // It may be called so.
    ['stop the server', 'stop server'],
    ['resume automation for code-llm', 'resume code-llm'],
    ['schedule for code-llm up weekends', 'schedule code-llm up weekends'],
    ['history my-tts yesterday', 'history yesterday my-tts'],
    ['기록 보여줘', 'history'],
    ['상태 my-tts 알려줘', 'status my-tts'],
    ['보호 해제 my-tts', 'unprotect my-tts'],
    ['설명 중지 my-tts', 'explain stop my-tts'],
    ['explain what happens if I stop my-tts', 'explain stop my-tts'],
    ['설명 start my-tts for 2h', 'explain start my-tts for 2h'],
    ['설명 보호 해제 my-tts', 'explain unprotect my-tts'],
    ['일정 code-llm 실행 평일 09:00-18:00', 'schedule code-llm up weekdays 09:00-18:00'],
    ['일정 code-llm 실행 평일 09:00~20:00', 'schedule code-llm up weekdays 09:00-20:00'],
    ['schedule code-llm up 월~금 오전 9시 30분 - 오후 8시', 'schedule code-llm up weekdays 09:30-20:00'],
    ['schedule code-llm up 평일 9시부터 18시까지', 'schedule code-llm up weekdays 09:00-18:00'],
    ['schedule code-llm up on weekdays from 9 to 18', 'schedule code-llm up weekdays 09:00-18:00'],
    ['schedule code-llm off on weekends', 'schedule code-llm down weekends'],
    ['schedule code-llm up every weekday 8-22', 'schedule code-llm up weekdays 08:00-22:00'],
    ['schedule code-llm up on Every day from 9 to 18', 'schedule code-llm up daily 09:00-18:00'],
    ['schedule code-llm down each monday', 'schedule code-llm down mon'],
    ['schedule code-llm up weekdays 9 am to 6 pm UTC', 'schedule code-llm up weekdays 09:00-18:00 UTC'],
    ['스케줄 code-llm 켜기 평일 아침 9시부터 저녁 8시까지', 'schedule code-llm up weekdays 09:00-20:00'],
    ['조정 code-llm 5개로', 'scale code-llm to 5'],
    ['일정 code-llm 중지 토,일', 'schedule code-llm down weekends'],
    // A reason and a quoted question say nothing about what kind of line this is.
    ['동결 because="배포하니까 끄지 마"', 'freeze because="배포하니까 끄지 마"'],
    ['중지 my-tts because="안 쓰나요?"', 'stop my-tts because="안 쓰나요?"'],
    ['승인요청 "my-tts를 옮겨도 될까요?"', 'ask "my-tts를 옮겨도 될까요?"'],
    // All words after the verb are the question, up to a reason with its key.
    ['ask may I use 8 GPUs tomorrow?', 'ask "may I use 8 GPUs tomorrow?"'],
    ['ask may I set "a"=b because of it? reason="a demo"', 'ask "may I set \\"a\\"=b because of it?" because="a demo"'],
    ['승인요청 내일 GPU 8장 써도 될까요?', 'ask "내일 GPU 8장 써도 될까요?"'],
    ['승인요청 주말에 code-llm 켜둬도 될까요? 사유=데모', 'ask "주말에 code-llm 켜둬도 될까요?" because="데모"'],
    ['승인요청 my-tts 다시 켤 수 있을까요?', 'ask "my-tts 다시 켤 수 있을까요?"'],
    ['ask because="a demo" "may I use 8 GPUs?"', 'ask "may I use 8 GPUs?" because="a demo"'],
  ])('%j is complete, so it is stored in its canonical spelling', async (typed, line) => {
    const gateway = near()
    await accept(contextOf(gateway), arriving(typed))
    expect(gateway.stored.map((one) => one.line)).toEqual([line])
  })

  test.each([
    'ask who can approve',
    'ask what is waiting',
    'ask my-tts please',
    '승인요청 모두 거절',
    '승인요청 my-tts 승인해줘',
    '승인요청 누가 했어?',
    '승인요청 몇 건이야?',
    '승인요청 철회해 줘',
  ])('(%s) asks the approvers nothing', async (typed) => {
    const gateway = near()
    await accept(contextOf(gateway), arriving(typed))
    expect(gateway.stored.filter(({ kind }) => kind === 'operation')).toEqual([])
  })

  test.each(['freeze the server for 4h because=x', 'freeze the endpoint', 'thaw the server'])(
    '%j names an endpoint, so it is not taken for all automation',
    async (typed) => {
      const gateway = near()
      await accept(contextOf(gateway), arriving(typed))
      expect(gateway.stored).toEqual([])
    },
  )

  test('What an endpoint did is not asked of a person with its name', async () => {
    const plain = near()
    const endpoints = [{ id: 'ep-re', name: 'rerank', active: true }]
    const gateway = { ...plain, store: { ...plain.store, names: async () => ({ at: start, endpoints }) } }
    await accept(contextOf(gateway), arriving('what did rerank do last week?'))
    await accept(contextOf(gateway), arriving('history last week'))
    expect(gateway.stored.map(({ line }) => line)).toEqual(['history week rerank', 'history week'])
  })

  test('(pending) stays after a press if others have to answer some of its requests', async () => {
    const plain = near()
    const own = { ...asked(), id: 'o'.repeat(22), actor: arriving('').actor }
    const lastOf = async (open: readonly Request[]) => {
      const store = { ...plain.store, open: async () => open }
      const isOthers = ({ id }: Request) => id !== own.id
      const home = { ...plain.home, answersOf: async () => isOthers }
      const result = await accept(contextOf({ ...plain, store, home }), arriving('pending'))
      if (result.kind !== 'answered') throw new Error(`It was ${result.kind}.`)
      return result.answer.items.flatMap(({ offers = [] }) => offers.map(({ last }) => last))
    }
    expect(await lastOf([asked()])).toEqual([true, true])
    expect(await lastOf([asked(), own])).toEqual([undefined, undefined, undefined])
  })

  test.each([
    ['ben 요청 승인해 줘', '1 request is waiting for you.'],
    ['승인해 줘', '1 request is waiting for you.'],
  ])('(%s) gets the list of requests that wait for an answer', async (typed, title) => {
    const plain = near()
    const namesOf = async () => ['Ana', '김아나']
    const store = { ...plain.store, open: async () => [asked()] }
    const home = { ...plain.home, answersOf: async () => () => true }
    const result = await accept(contextOf({ ...plain, store, home, namesOf }), arriving(typed))
    if (result.kind !== 'answered') throw new Error(`It was ${result.kind}.`)
    expect(english(result.answer.title)).toBe(title)
    expect(result.answer.items).toHaveLength(1)
  })

  test('(approve) lists twelve requests, approvals first, and says how to reach the others', async () => {
    const plain = near()
    const open = Array.from({ length: 14 }, (_, at) => ({
      ...asked(),
      requirement: at === 13 ? ('approval' as const) : ('confirmation' as const),
      reason: `number ${at}`,
    }))
    const store = { ...plain.store, open: async () => open }
    const home = { ...plain.home, answersOf: async () => () => true }
    const result = await accept(contextOf({ ...plain, store, home }), arriving('approve'))
    if (result.kind !== 'answered') throw new Error(`It was ${result.kind}.`)
    expect(result.answer.items).toHaveLength(12)
    expect(result.answer.items[0]?.offers?.[1]?.opens).toBe('form')
    expect(english(result.answer.foot ?? '')).toBe(
      '2 more requests aren’t listed. Name the endpoint: /endpoint approve my-llm',
    )
  })

  test.each([
    [2, 12, 13, ''],
    [12, 13, 12, '1 more request isn’t listed. Name the endpoint: /endpoint approve my-llm'],
  ])('(pending) with %d own of %d requests sets those of others apart', async (own, all, rows, foot) => {
    const plain = near()
    const open = Array.from({ length: all }, (_, at) => ({ ...asked(), reason: `number ${at}` }))
    const store = { ...plain.store, open: async () => open }
    const home = {
      ...plain.home,
      answersOf: async () => (one: Request) => open.slice(0, own).some((mine) => mine === one),
    }
    const result = await accept(contextOf({ ...plain, store, home }), arriving('pending'))
    if (result.kind !== 'answered') throw new Error(`It was ${result.kind}.`)
    expect(result.answer.items).toHaveLength(rows)
    expect(english(result.answer.foot ?? '')).toBe(foot)
  })

  test.each(['start code-llm until 5일', 'keep my-tts until 5일'])('(%s) is not taken for five days', async (typed) => {
    const gateway = near()
    await accept(contextOf(gateway), arriving(typed))
    expect(gateway.stored).toEqual([])
  })

  test.each(['keep my-tts down tonight', 'start code-llm down'])(
    '(%s) is not taken for the opposite',
    async (typed) => {
      const gateway = near()
      await accept(contextOf(gateway), arriving(typed))
      expect(gateway.stored).toEqual([])
    },
  )

  test.each([
    ['stop my-tts because @U02BEN0001 asked for it', 'stop my-tts because="@ben asked for it"'],
    ['stop my-tts because @U0BEN asked for it', 'stop my-tts because="@ben asked for it"'],
    ['ask "may @U02BEN0001 and @U02ANA0001 see it?"', 'ask "may @ben and @U02ANA0001 see it?"'],
    ['away until friday to @U02BEN0001', 'away until friday to @U02BEN0001'],
    [`stop my-tts because=@U02LONG001${'.'.repeat(289)}`, `stop my-tts because=@U02LONG001${'.'.repeat(289)}`],
    ['stop my-tts because="write to ops@U02BEN0001"', 'stop my-tts because="write to ops@U02BEN0001"'],
  ])('(%s) has names for the people in its texts, if they are known and fit', async (typed, line) => {
    const gateway = near()
    const names: Readonly<Record<string, string>> = {
      U02BEN0001: 'ben',
      U0BEN: 'ben',
      U02LONG001: 'benedetta of the night shift',
    }
    await accept(contextOf({ ...gateway, namesOf: async (user) => [names[user] ?? []].flat() }), arriving(typed))
    expect(gateway.stored.map((one) => one.line)).toEqual([line])
  })

  test('with a time fills the picker in the time zone of the person who typed it', async () => {
    const ahead = async (zone: string) => {
      const form = await openForm(contextOf({ ...near(), zoneOf: async () => zone }), arriving('stop my-tts at mon'))
      return form.kind === 'form' ? Date.parse(String(form.form.values['at'])) : Number.NaN
    }
    expect((await ahead('UTC')) - (await ahead('Asia/Seoul'))).toBe(9 * 3_600_000)
  })

  test('with a wrong word gets an example for its endpoint and a form filled as far as possible', async () => {
    const gateway = doorway('default', ['*'], { role: 'operator' })
    const typed = terminal(gateway)
    expect(await typed.line('schedule code-llm off at night')).toMatch(
      /For example: \/endpoint schedule code-llm down daily 22:00-06:00 \[schedule code-llm down at\]$/,
    )
    expect(await typed.line('schedule code-llm off nights')).toBe(
      'Which hours do you mean by night? For example: daily 22:00-06:00. [schedule code-llm down daily 22:00-06:00]',
    )
    expect(await typed.line('schedule code-llm off 20:00-08:00')).toBe(
      'Name the days first: daily 20:00-08:00. [schedule code-llm down daily 20:00-08:00]',
    )
    expect(await typed.line('scale code-llm to 0')).toMatch(/For example: \/endpoint stop code-llm \[/)
    expect(await typed.line('keep code-llm whenever')).toBe(
      'Pause length must be a length of time such as 30m, 2h, or 1d, not “whenever”. For example: /endpoint keep code-llm 2h [keep code-llm whenever]',
    )
  })

  test('“keep … off” from a button, a form or a program still ends a pause', async () => {
    for (const via of ['button', 'form', 'program'] as const) {
      const gateway = near()
      expect(await terminal(gateway).line('keep my-tts off', { via })).toBe('accepted')
      expect(gateway.stored.map(({ line }) => line)).toEqual(['keep my-tts off'])
    }
  })

  test('that asks about an endpoint that no list of names shows is answered about all', async () => {
    const gateway = doorway('default', ['*'], { role: 'operator' })
    await accept(contextOf(gateway), arriving('who stopped image-gen?'))
    expect(gateway.stored.map(({ line }) => line)).toEqual(['history stopped'])
  })

  test('that lacks a word gets a form at once, with the reason', async () => {
    const gateway = doorway('default', ['*'], { role: 'operator' })
    expect(await terminal(gateway).line('stop')).toBe('form of stop')
    for (const line of ['ask please', '승인 요청 부탁해요', '승인요청 좀 부탁해요', '승인 요청 올려줘'])
      expect(await terminal(gateway).line(line)).toBe('form of ask')
    expect(await terminal(gateway).line('재개 좀 해줘')).toBe('form of resume')
    expect(await terminal(gateway).line('keep my-llm 2h until 23:00')).toMatch(/^form of keep: Choose one: a length/)
    expect(gateway.stored).toEqual([])
  })

  test('that asks the approvers a question of one word is accepted', async () => {
    for (const question of ['배포해도돼?', 'ready?']) {
      const gateway = doorway('default', ['*'], { role: 'operator' })
      expect(await terminal(gateway).line(`ask ${question}`)).toBe('accepted')
      expect(gateway.stored.map(({ line }) => line)).toEqual([`ask "${question}"`])
    }
  })

  test('that asks what a command does gets its help', async () => {
    for (const [typed, name] of [
      ['유휴 중지가 뭐야?', 'idle'],
      ['보호가 뭐야?', 'protect'],
      ['what is a freeze?', 'freeze'],
      ['how do I turn off my-tts?', 'stop'],
      ['어떻게 꺼요?', 'stop'],
    ] as const)
      expect(await terminal(near()).line(typed)).toMatch(new RegExp(`^/endpoint ${name}\n`))
  })

  test('that lacks a word is refused at once if the role is missing or there is no policy', async () => {
    const plain = doorway('default', ['*'], { role: 'operator' })
    const home = { ...plain.home, membersOf: () => [{ kind: 'user', id: 'U0BEN' }] as const }
    const says = sentenceIn('role.lacking', { role: 'approver', project: 'default', admins: { any: home.membersOf() } })
    expect(await terminal({ ...plain, home }).line('away')).toBe(says)
    expect(await terminal({ ...plain, home }).fill('away until mon')).toBe(says)
    expect(await terminal(doorway('default', ['*'], { role: 'viewer' })).line('stop')).toBe(sentenceIn('role.noPolicy'))
  })

  test('that contains a likely token is not stored, and its form is offered without the token', async () => {
    const gateway = doorway('default', ['*'], { role: 'operator' })
    const token = `ghp_${'a1B2'.repeat(9)}`
    expect(await terminal(gateway).line(`stop my-llm because=${token}`)).toBe(
      `${sentenceIn('line.secret')} [stop my-llm]`,
    )
    expect(await terminal(gateway).line(`logs my-llm search=${token}`)).toBe(sentenceIn('line.secret'))
    expect(gateway.stored).toEqual([])
    // One request id in some 30,000 looks like this.
    await terminal(gateway).line('approve sk-8Q0fZbn1dXwT4uY6vAb')
    expect(gateway.stored.map(({ line }) => line)).toEqual(['approve sk-8Q0fZbn1dXwT4uY6vAb'])
  })

  test('that names environment variables is not stored, and its form is offered', async () => {
    const gateway = doorway('default', ['*'], { role: 'operator' })
    expect(await terminal(gateway).line('patch my-llm env=KEY')).toMatch(/are set in the form.* \[patch my-llm\]$/)
    expect(gateway.stored).toEqual([])
  })

  test('that asks for help outside any project learns only that there is none', async () => {
    expect(await terminal().line('help stop')).toBe(sentenceIn('project.none'))
  })

  test.each([
    'help',
    'help stop',
    'stp x y z',
    'stop',
    'set-env my-llm set=K=v',
    `stop my-llm because=ghp_${'a1B2'.repeat(9)}`,
  ])('(%s) from someone without a role says only that they have none', async (line) => {
    const gateways = [doorway('default', ['*']), doorway('one', ['C0ONE']), doorway('two', ['C0TWO'])] as const
    const [gateway, ...two] = gateways
    expect(await terminal(gateway).line(line)).toBe(sentenceIn('role.none'))
    expect(await terminal(...two).line(line, { channel: '' })).toBe(sentenceIn('role.none'))
    expect(gateways.flatMap(({ stored }) => stored)).toEqual([])
  })

  test('is stored without looking up a role', async () => {
    const gateway = doorway('default', ['*'])
    const home = { ...gateway.home, roleOf: () => Promise.reject(new Error('Nobody is looked up here.')) }
    expect(await terminal({ ...gateway, home }).line('stop my-llm')).toBe('accepted')
  })

  test('that asks for help lists the commands this person may use, and counts the others', async () => {
    const help = (line: string, role: Role) => terminal(doorway('default', ['*'], { role })).line(line)
    const [viewer, admin] = [await help('help', 'viewer'), await help('help', 'admin')]
    expect(viewer).toContain('list\nstatus my-llm')
    expect(viewer).not.toContain('\nstop my-llm')
    expect(viewer).toMatch(/\d+ more commands need a role you don’t have here\./)
    expect(await help('help', 'approver')).toMatch(/1 more command needs a role you don’t have here: break-glass\./)
    expect(admin).toContain('stop my-llm')
    expect(await help('help stop', 'viewer')).toContain('/endpoint stop my-llm')
    expect(await help('이거 어떻게 써?', 'viewer')).toBe(viewer)
  })

  test.each<[Received, string]>([
    [{ kind: 'stored', workers: true }, 'accepted'],
    [{ kind: 'known', workers: true }, 'accepted'],
    [{ kind: 'stored', workers: false }, sentenceIn('request.noWorker')],
    [{ kind: 'nothing', why: 'away' }, sentenceIn('request.notStored', { why: { say: 'storage.away' } })],
    [{ kind: 'nothing', why: 'full' }, sentenceIn('request.notStored', { why: { say: 'storage.full' } })],
    [{ kind: 'perhaps' }, sentenceIn('request.perhapsStored')],
    [{ kind: 'refused', why: 'person' }, sentenceIn('request.tooMuch.person')],
    [{ kind: 'refused', why: 'project' }, sentenceIn('request.tooMuch.project')],
    [{ kind: 'refused', why: 'hour' }, sentenceIn('request.tooMuch.hour')],
    [{ kind: 'refused', why: 'storage' }, sentenceIn('request.tooMuch.storage')],
  ])('for which storage returns %j is answered with: %s', async (received, says) => {
    expect(await terminal(doorway('default', ['*'], { received })).line('list')).toBe(says)
  })

  test('goes to the project that lists its channel, otherwise to one that takes all, otherwise to none', async () => {
    const [named, every] = [doorway('named', ['C0OPS', 'C0TWO']), doorway('every', ['*'])]
    await terminal(every, named).line('list')
    await terminal(every, named).line('list', { channel: 'C0OTHER' })
    expect(named.stored.map(({ place }) => place.channel)).toEqual(['C0OPS'])
    expect(every.stored.map(({ place }) => place.channel)).toEqual(['C0OTHER'])
    expect(await terminal(named).line('list', { channel: 'C0OTHER' })).toBe(sentenceIn('project.none'))
  })

  test.each(['C0OPS', 'C0OTHER', ''])(
    'of a project that is gone goes to no other, whatever brings it (in “%s”)',
    async (channel) => {
      const gateways = [
        doorway('named', ['C0OPS'], { role: 'operator' }),
        doorway('every', ['*'], { role: 'operator' }),
      ]
      const [door, from] = [terminal(...gateways), { channel, project: 'gone' }]
      const secrets = [{ field: 'env', entries: [{ key: 'KEY', value: 'hunter22' }] }]
      const said = [
        await door.line('stop my-llm', { ...from, via: 'button' }),
        await door.line('stop', from),
        await door.fill('stop my-llm', from),
        await door.press(`${'q'.repeat(22)}.1`, from),
        await door.submit('stop my-llm', [], from),
        await door.submit('patch my-llm env=KEY', secrets, from),
      ]
      expect(new Set(said)).toEqual(new Set([sentenceIn('project.gone', { project: 'gone' })]))
      expect(gateways.flatMap(({ stored, pressed }) => [...stored, ...pressed])).toEqual([])
    },
  )

  test('outside all channels gets a choice of the projects in which the person may use it', async () => {
    const roles = { one: 'operator', two: 'admin', three: 'viewer' } as const
    const gateways = Object.entries(roles).map(([name, role]) => doorway(name, [`C0${name}`], { role }))
    const outside = { channel: '' }
    expect(await terminal(...gateways).line('stop my-llm', outside)).toBe('line in one or two: stop my-llm')
    expect(await terminal(...gateways).line('stop', outside)).toBe('form in one or two: stop')
    expect(await terminal(...gateways).line('stop x', { channel: 'direct' })).toBe('line in one or two: stop x')
    expect(await terminal(...gateways).line('audit-verify', outside)).not.toBe('accepted')
    expect(await terminal(...gateways).line('list', { ...outside, project: 'two' })).toBe('accepted')
    const [viewed] = gateways.slice(2)
    expect(
      await terminal(...gateways.slice(2), doorway('four', ['C0four'], { role: 'viewer' })).line('stop x', outside),
    ).toBe('You need the operator role for that, and you don’t have it in three or four.')
    expect(viewed?.stored).toEqual([])
  })

  test('outside all channels goes to the operations channel (a query to the asker), or asks where', async () => {
    const placed = doorway('default', ['*'], { more: { operationsChannel: () => 'C0MAIN' } })
    await terminal(placed).line('stop my-llm', { channel: '' })
    await terminal(placed).line('list', { channel: '' })
    expect(placed.stored.map(({ place }) => place)).toEqual([
      { channel: 'C0MAIN', chosen: true },
      { channel: ana.user, chosen: true },
    ])
    const placeless = doorway('default', ['*'], { role: 'operator' })
    expect(await terminal(placeless).line('stop my-llm', { channel: '' })).toBe('form of stop: Where?')
    expect(placeless.stored).toEqual([])
  })

  test('is the same request on each delivery, and a new one when typed again', async () => {
    const gateway = doorway('default', ['*'])
    for (const delivery of ['d1', 'd1', 'd2']) await terminal(gateway).line('list', { delivery })
    const [first, second, third] = gateway.stored.map(({ id }) => id)
    expect(first).toMatch(/^[\w-]{22}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  test('is accepted even if no worker could be woken, because the sweep will find it', async () => {
    const queue = { wake: () => Promise.reject(new Error('The queue is away.')) }
    expect(await terminal(doorway('default', ['*'], { more: { queue } })).line('list')).toBe('accepted')
  })
})

describe('An incoming answer', () => {
  const id = 'r'.repeat(22)

  test('is stored as pressed, with the question it answers, and wakes a worker', async () => {
    const gateway = doorway('default', ['*'])
    expect(await terminal(gateway).press(`${id}.2`)).toBe('accepted')
    expect(gateway.pressed).toEqual([
      { id: requestIdOf('d1'), request: id, ask: 2, yes: true, actor: ana, channel: 'C0OPS', at: start },
    ])
    expect(gateway.woken).toEqual([id])
  })

  test.each([
    '',
    id,
    `${id}.`,
    `${id}.x`,
    `${id}.1234`,
    `${id}.-1`,
    `${id}x.1`,
    `../${id}.1`,
    `${id}.1\n`,
    `x:${id}.1`,
  ])('that carries the forged value %j is refused', async (value) => {
    const gateway = doorway('default', ['*'])
    expect(await terminal(gateway).press(value)).toBe(sentenceIn('approval.replaced'))
    expect(gateway).toMatchObject({ pressed: [], woken: [] })
  })

  test.each<[Received, string]>([
    [{ kind: 'perhaps' }, sentenceIn('request.pressPerhapsStored')],
    [{ kind: 'gone' }, sentenceIn('request.forgotten')],
    [{ kind: 'refused', why: 'person' }, sentenceIn('request.tooMuch.person')],
  ])('for which storage returns %j is answered with: %s', async (received, says) => {
    expect(await terminal(doorway('default', ['*'], { received })).press(`${id}.1`)).toBe(says)
  })

  test('in a channel without a project is refused', async () => {
    expect(await terminal(doorway('default', ['C0OTHER'])).press(`${id}.1`)).toBe(sentenceIn('approval.replaced'))
  })
})

describe('A form', () => {
  const secrets = [{ field: 'env', entries: [{ key: 'KEY', value: 'hunter22' }] }]

  test('opens for anyone with a role, and shows the request that it is about', async () => {
    const other = stopping({}, { id: 'q'.repeat(22) })
    const gateway = doorway('default', ['*'], { role: 'operator' })
    const store = { ...gateway.store, load: async () => other }
    expect(await terminal({ ...gateway, store }).fill(`decline ${other.id}`)).toBe('form of decline: Stop my-llm')
    expect(await terminal(gateway).fill('stop x y')).toContain('I don’t understand “y” here.')
    expect(await terminal(doorway('default', ['*'])).fill('stop my-llm')).toBe(sentenceIn('role.none'))
  })

  test('is stored as a line like any other', async () => {
    const gateway = doorway('default', ['*'], { role: 'operator' })
    expect(await terminal(gateway).submit('stop my-llm')).toBe('accepted')
    expect(gateway.stored).toMatchObject([{ line: 'stop my-llm', via: 'form' }])
  })

  test('stays open if another request holds the endpoint, unless it is a stop, which may take over', async () => {
    const gateway = doorway('default', ['*'], { role: 'operator' })
    const other = stopping({}, { id: 'q'.repeat(22), status: 'running' })
    const store = { ...gateway.store, holderOf: async () => other.id, load: async () => other }
    const held = terminal({ ...gateway, store })
    expect(await held.submit('start my-llm')).toMatch(
      /^endpoint,This endpoint has another open request: Stop my-llm, requested by .*\. Cancel it or wait until it ends/,
    )
    expect(gateway.stored).toEqual([])
    expect(await held.submit('stop my-llm')).toBe('accepted')
  })

  test('that creates a rule first shows a preview, or what is wrong with it', async () => {
    const foresee = async () => ({ kind: 'rule', name: 'my-llm', means: [], outlooks: [] }) as const
    const line = 'schedule my-llm up weekdays 09:00-20:00'
    const sees = { role: 'operator', more: { foresee } } as const
    const gateway = doorway('default', ['*'], sees)
    expect(await terminal(gateway).submit(line)).toBe('preview of schedule my-llm')
    const more = { foresee: async () => ({ kind: 'wrong', says: 'It is over.' }) as const }
    expect(await terminal(doorway('default', ['*'], { role: 'operator', more })).submit(line)).toBe(
      'window,It is over.',
    )
    const stranger = doorway('default', ['*'], { more: { foresee } })
    expect(await terminal(stranger).submit(line)).toBe('accepted')
    expect([gateway.stored.length, stranger.stored.length]).toEqual([0, 1])
  })

  test('seals its secret values before its request is stored, and stores nothing if it cannot', async () => {
    const sealed: Bound[] = []
    const seal = async (of: Bound) => sealed.push(of) === 1
    const gateway = doorway('default', ['*'], { role: 'operator', more: { sealer: { seal } } })
    expect(await terminal(gateway).submit('patch my-llm env=KEY', secrets)).toBe('accepted')
    expect(gateway.stored).toMatchObject([{ id: requestIdOf('d1'), sealed: true, line: 'patch my-llm env=KEY' }])
    expect(sealed).toEqual([{ request: requestIdOf('d1'), endpoint: 'my-llm', actor: ana, field: 'env' }])
    expect(await terminal(gateway).submit('patch my-llm env=KEY', secrets)).toMatch(
      /^env,This form is already being submitted/,
    )
    expect(await terminal(doorway('default', ['*'])).submit('patch my-llm env=KEY', secrets)).toMatch(
      /^env,Secret values need LAMPLIGHTER_KEY/,
    )
    const broken = { sealer: { seal: () => Promise.reject(new Error('Redis is away.')) } }
    const away = doorway('default', ['*'], { role: 'operator', more: broken })
    expect(await terminal(away).submit('patch my-llm env=KEY', secrets)).toMatch(
      /^env,I couldn’t store the values encrypted/,
    )
    expect([gateway.stored.length, away.stored.length]).toEqual([1, 0])
  })
})
