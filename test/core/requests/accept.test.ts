import { describe, expect, test } from 'vitest'
import { noPrices, usualAutomation } from '../../../src/core/model/automation.ts'
import type { StoredRecord } from '../../../src/core/model/records.ts'
import type { Press, Request } from '../../../src/core/model/request.ts'
import type { Role } from '../../../src/core/model/roles.ts'
import type { Bound, Received } from '../../../src/core/ports/services.ts'
import { type Arrival, accept, acceptAnswer, openForm } from '../../../src/core/requests/accept.ts'
import { acceptForm, type FormResult, type Submission } from '../../../src/core/requests/accept-form.ts'
import type { ProjectGateway } from '../../../src/core/requests/gateway.ts'
import { requestIdOf } from '../../../src/core/requests/receive.ts'
import { commands } from '../../../src/features/command-table.ts'
import { ana, asked, start, stopping } from '../../adapters/slack/requests.ts'
import { weekly } from '../../features/schedules/schedule.ts'
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

/** A project that keeps what passes its door, and answers as its storage would. */
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
      open: async () => [],
      coming: async () => [],
      saved: async () => null,
      running: async () => ({ prices: noPrices, idling: [] }),
      listAgain: async () => undefined,
      roleOf: async () => role,
      uselessTo: async () => [],
      membersOf: () => [],
      answersOf: async () => () => false,
      undoable: async () => [],
    },
    ...more,
  }
}

/** A door that is not Slack: a terminal that hands in lines, forms and presses, and prints what comes of them. */
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
    case 'taken':
      return 'taken'
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
        english(wrong ?? ''),
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

/** A project with an endpoint that runs and one that does not. */
function near(): Doorway {
  const endpoints = [
    { id: 'ep-tts', name: 'my-tts', active: true },
    { id: 'ep-code', name: 'code-llm', active: false },
  ]
  const plain = doorway('default', ['*'], { role: 'operator' })
  return { ...plain, store: { ...plain.store, names: async () => ({ at: start, endpoints }) } }
}

/** The same, where my-tts has this schedule, and perhaps ana a time zone. */
function scheduled(rule: string, zone: string | null = null): Doorway {
  const plain = near()
  const records = async () => new Map([['r1', weekly('r1', rule, { endpoint: 'ep-tts', zone: 'UTC' })]])
  return { ...plain, zoneOf: async () => zone, store: { ...plain.store, records } }
}

function contextOf(gateway: ProjectGateway) {
  return { gateways: [gateway], commands, clock: { now: () => start, monotonic: () => 0 } }
}

function arriving(typed: string): Arrival {
  return { delivery: 'd1', typed, via: 'typed', actor: ana, channel: 'C0OPS' }
}

const teamIn = (zone: string) => ({ automation: () => ({ ...usualAutomation, zone }) })

describe('A line that comes in', () => {
  test('is stored in its canonical spelling, a worker is woken, and nothing is said', async () => {
    const gateway = doorway('default', ['*'])
    expect(await terminal(gateway).line('DOWN my-llm  because=“moving”')).toBe('taken')
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

  test('that cannot be read stores nothing and says so', async () => {
    const gateway = doorway('default', ['*'], { role: 'viewer' })
    expect(await terminal(gateway).line('stpo my-llm')).toBe('Did you mean /endpoint stop my-llm?')
    expect(await terminal(gateway).line('x'.repeat(3_000))).toBe(sentenceIn('line.tooLong', { most: 1_000 }))
    expect(gateway).toMatchObject({ stored: [], woken: [] })
  })

  test.each([
    ['pending', [], 'Nothing is waiting for you.'],
    ['yes', [], 'Nothing is waiting for you.'],
    ['what waits for me?', [], 'Nothing is waiting for you.'],
    ['밤에 꺼줘', ['schedule'], 'Did you mean /endpoint schedule <endpoint> down daily 22:00-06:00'],
    ['밤에 my-tts 꺼줘', ['schedule my-tts down daily 22:00-06:00'], 'my-tts down daily 22:00-06:00?'],
    ['turn my-tts off please', ['stop my-tts'], 'Did you mean /endpoint stop my-tts?'],
    ['pause my-tts', ['keep my-tts 2h'], 'Did you mean /endpoint keep my-tts 2h?'],
    ['my-tts 일시중지해줘', ['keep my-tts 2h'], 'Did you mean /endpoint keep my-tts 2h?'],
    ['kill my-tts', ['stop my-tts'], 'Did you mean /endpoint stop my-tts?'],
    ['nothing must stop my-tts', ['keep my-tts 2h', 'protect my-tts'], '/endpoint keep my-tts 2h or /endpoint protect'],
    ['please don’t stop my-tts', ['keep my-tts 2h', 'protect my-tts'], '/endpoint keep my-tts 2h or /endpoint protect'],
    [
      'my-tts을 끄지 마',
      ['keep my-tts 2h', 'protect my-tts'],
      'Did you mean /endpoint keep my-tts 2h or /endpoint protect my-tts?',
    ],
    ['turn my-tts on', ['start my-tts'], 'Did you mean /endpoint start my-tts?'],
    [
      'make sure my-tts is off at night',
      ['schedule my-tts down daily 22:00-06:00'],
      'Did you mean /endpoint schedule my-tts down daily 22:00-06:00?',
    ],
    [
      'make sure my-tts is off on weekends',
      ['schedule my-tts down weekends'],
      'Did you mean /endpoint schedule my-tts down weekends?',
    ],
    ['stop my-tts over the weekend', ['schedule my-tts down weekends'], 'my-tts down weekends?'],
    ['my-tts 주말에 꺼줘', ['schedule my-tts down weekends'], 'Did you mean /endpoint schedule my-tts down weekends?'],
    ['make sure my-tts is on at night', ['schedule my-tts up daily 22:00-06:00'], 'my-tts up daily 22:00-06:00?'],
    ['my-tts up at night', ['schedule my-tts up daily 22:00-06:00'], 'my-tts up daily 22:00-06:00?'],
    ['make sure my-tts is on at weekends', ['schedule my-tts up weekends'], 'schedule my-tts up weekends?'],
    ['turn my-tts off on weekdays', ['schedule my-tts down weekdays'], 'schedule my-tts down weekdays?'],
    ['my-tts on on weekday nights', ['schedule my-tts up weekdays 22:00-06:00'], 'up weekdays 22:00-06:00?'],
    ['my-tts 밤에 켜 둬', ['schedule my-tts up daily 22:00-06:00'], 'my-tts up daily 22:00-06:00?'],
    ['code-llm 주말에 켜 줘', ['schedule code-llm up weekends'], 'schedule code-llm up weekends?'],
    ['my-tts 주말에 켜지 마', ['schedule my-tts down weekends'], 'schedule my-tts down weekends?'],
    ['my-tts 밤 10시부터 6시까지 켜 줘', ['schedule my-tts up daily 22:00-06:00'], 'up daily 22:00-06:00?'],
    [
      'my-tts off at night',
      ['schedule my-tts down daily 22:00-06:00'],
      'Did you mean /endpoint schedule my-tts down daily 22:00-06:00?',
    ],
    [
      'my-tts 밤에 중지',
      ['schedule my-tts down daily 22:00-06:00'],
      'Did you mean /endpoint schedule my-tts down daily 22:00-06:00?',
    ],
    ['skip my-tts', ['keep my-tts 2h'], 'Did you mean /endpoint keep my-tts 2h?'],
    ['put my-tts to sleep', ['stop my-tts'], 'Did you mean /endpoint stop my-tts?'],
    ['stop everything', ['stop'], 'only do that for one endpoint at a time'],
    ['stop all', ['stop'], 'only do that for one endpoint at a time'],
    ['중지 모두', ['stop'], 'only do that for one endpoint at a time'],
    [
      'keep my-tts off',
      ['resume my-tts', 'stop my-tts'],
      'Did you mean /endpoint resume my-tts or /endpoint stop my-tts?',
    ],
    ['keep my-tts off tonight', ['stop my-tts'], 'type /endpoint keep my-tts tonight as well.'],
    [
      'keep my-tts off until tomorrow',
      ['stop my-tts'],
      'my-tts? A stop has no end time. To keep it stopped until then, type /endpoint keep my-tts until tomorrow as well.',
    ],
    ['keep code-llm off until tuesday', ['keep code-llm until tuesday'], 'mean /endpoint keep code-llm until tuesday?'],
    ['keep code-llm off tonight', ['keep code-llm tonight'], 'Did you mean /endpoint keep code-llm tonight?'],
    [
      'keep code-llm off next week',
      ['keep code-llm 2h'],
      'I could not read the time, so it is left out: set it in the form',
    ],
    ['turn code-llm off for 2 hours', ['keep code-llm for 2h'], 'Did you mean /endpoint keep code-llm for 2h?'],
    ['stop my-tts until friday', ['stop my-tts'], 'type /endpoint keep my-tts until friday as well.'],
    [
      'code-llm 화요일까지 꺼 둬',
      ['keep code-llm until tue 09:00', 'keep code-llm until tue 24:00'],
      'Did you mean /endpoint keep code-llm until tue 09:00 or /endpoint keep code-llm until tue 24:00?',
    ],
    ['my-tts 내려줘', ['stop my-tts'], 'Did you mean /endpoint stop my-tts?'],
    ['code-llm 올려줘', ['start code-llm'], 'Did you mean /endpoint start code-llm?'],
    ['my-tts 이틀 동안 꺼 둬', ['stop my-tts'], 'type /endpoint keep my-tts for 2d as well.'],
    ['extend my-tts by 2 hours', ['keep my-tts for 2h'], 'Did you mean /endpoint keep my-tts for 2h?'],
    ['my-tts 2시간 연장해 줘', ['keep my-tts for 2h'], 'Did you mean /endpoint keep my-tts for 2h?'],
    ['delete the schedule of my-tts', ['unschedule my-tts'], 'Did you mean /endpoint unschedule my-tts?'],
    ['rename my-tts to foo', [], 'Lamplighter doesn’t rename endpoints. Type /endpoint help for all commands.'],
    ['delete my-tts', [], 'Lamplighter doesn’t delete endpoints.'],
    [
      'make sure code-llm is on tonight',
      ['start code-llm'],
      'start code-llm? I could not read the time, so it is left out: set it in the form.',
    ],
    ['keep my-tts on at night', ['schedule my-tts up daily 22:00-06:00'], 'my-tts up daily 22:00-06:00?'],
    ['keep my-tts off at weekends', ['schedule my-tts down weekends'], 'my-tts down weekends?'],
    ['my-tts 재개해줘', ['resume my-tts'], 'Did you mean /endpoint resume my-tts?'],
    ['resme my-tts', ['resume my-tts'], 'Did you mean /endpoint resume my-tts?'],
    ['keep my-tts on', ['keep my-tts 2h', 'protect my-tts'], '/endpoint keep my-tts 2h or /endpoint protect my-tts?'],
    ['keep my-tts up', ['keep my-tts 2h', 'protect my-tts'], '/endpoint keep my-tts 2h or /endpoint protect my-tts?'],
    ['keep my-tts running please', ['keep my-tts 2h', 'protect my-tts'], 'keep my-tts 2h or /endpoint protect my-tts?'],
    ['stop everything idle', ['idle'], 'only do that for one endpoint at a time'],
    ['stop everything of mine tonight', ['stop my-tts at 22:00'], 'I can’t tell which ones are yours.'],
    ['stop my endpoints tonight', ['stop my-tts at 22:00'], 'I can’t tell which ones are yours.'],
    ['내 거 오늘 밤 다 꺼 줘', ['stop my-tts at 22:00'], 'I can’t tell which ones are yours.'],
    ['stop everything at 19:00', ['stop my-tts at 19:00'], 'only do that for one endpoint at a time'],
    ['stop my endpoints', ['stop my-tts'], 'I can’t tell which ones are yours.'],
    ['stop what nobody uses', ['idle'], 'only do that for one endpoint at a time'],
    ['모두 중지해 줘', ['stop'], 'only do that for one endpoint at a time'],
    ['turn off what nobody uses', ['idle'], 'Did you mean /endpoint idle <endpoint> after 60m?'],
    ['turn my-tts off if unused', ['idle my-tts after 60m'], 'Did you mean /endpoint idle my-tts after 60m?'],
    ['never turn my-tts off', ['keep my-tts 2h', 'protect my-tts'], 'keep my-tts 2h or /endpoint protect my-tts?'],
    ['turn idle off for my-tts', ['idle my-tts off'], 'Did you mean /endpoint idle my-tts off?'],
    ['leave my-tts running until tomorrow', ['keep my-tts until tomorrow'], 'keep my-tts until tomorrow?'],
    ['leave my-tts off', ['keep my-tts 2h'], 'keep my-tts 2h?'],
    ['start code-llm until tonight', ['start code-llm until 18:00', 'start code-llm until 22:00'], 'Did you mean'],
    ['can you stop my-tts?', ['stop my-tts'], 'Did you mean /endpoint stop my-tts?'],
    ['switch my-tts off at 19:00', ['stop my-tts at 19:00'], 'Did you mean /endpoint stop my-tts at 19:00?'],
    ['stop my-tts when idle', ['idle my-tts after 60m'], 'Did you mean /endpoint idle my-tts after 60m?'],
    ['what needs my approval', [], 'Nothing is waiting for you.'],
    ['what does ben want', [], 'Nothing is waiting for you.'],
    ['does anybody want my-tts off', ['stop my-tts'], 'Did you mean /endpoint stop my-tts?'],
    ['승인해줘', [], 'Nothing is waiting for you.'],
    ['my-tts 켜줘', ['status my-tts'], 'my-tts is already running.'],
    ['code-llm 꺼줘', ['status code-llm'], 'code-llm is already stopped.'],
    ['my-tts schedule', ['schedule my-tts up weekdays 09:00-20:00'], 'Did you mean /endpoint schedule my-tts up'],
    [
      '내일까지 my-tts 켜 둬',
      ['keep my-tts until tomorrow 09:00', 'keep my-tts until tomorrow 24:00'],
      'Did you mean /endpoint keep my-tts until tomorrow 09:00 or /endpoint keep my-tts until tomorrow 24:00?',
    ],
    ['my-tts 2시간 동안 켜둬', ['keep my-tts for 2h'], 'Did you mean /endpoint keep my-tts for 2h?'],
    [
      'my-tts 내일까지 켜 줘',
      ['start my-tts until tomorrow 09:00', 'start my-tts until tomorrow 24:00'],
      'Did you mean /endpoint start my-tts until tomorrow 09:00 or /endpoint start my-tts until tomorrow 24:00?',
    ],
    ['my-tts 꺼줘', ['stop my-tts'], 'Did you mean /endpoint stop my-tts?'],
    ['my-tts를 재시작해 주세요', ['restart my-tts'], 'Did you mean /endpoint restart my-tts?'],
    ['my-tts 안 쓰면 꺼줘', ['idle my-tts after 60m'], 'Did you mean /endpoint idle my-tts after 60m?'],
    ['오늘 저녁 7시에 my-tts 꺼줘', ['stop my-tts at 19:00'], 'Did you mean /endpoint stop my-tts at 19:00?'],
    [
      '내일 9시까지 code-llm 켜줘',
      ['start code-llm until tomorrow 09:00', 'start code-llm until tomorrow 21:00'],
      'until tomorrow 09:00 or /endpoint start code-llm until tomorrow 21:00?',
    ],
    ['my-tts 보호 풀어줘', ['unprotect my-tts'], 'Did you mean /endpoint unprotect my-tts?'],
    ['보호 해제해줘', ['unprotect'], 'Did you mean /endpoint unprotect <endpoint>?'],
    ['보호 풀어줘 my-tts', ['unprotect my-tts'], 'Did you mean /endpoint unprotect my-tts?'],
    ['my-tts 꺼지는 거 미뤄줘', ['keep my-tts 2h'], 'Did you mean /endpoint keep my-tts 2h?'],
    ['my-tts 안 꺼지게 해줘', ['keep my-tts 2h', 'protect my-tts'], 'keep my-tts 2h or /endpoint protect my-tts?'],
    [
      '6시에 my-tts 꺼줘',
      ['stop my-tts at 06:00', 'stop my-tts at 18:00'],
      'at 06:00 or /endpoint stop my-tts at 18:00?',
    ],
    ['낮 3시에 my-tts 꺼줘', ['stop my-tts at 15:00'], 'Did you mean /endpoint stop my-tts at 15:00?'],
    ['오후 여섯 시에 my-tts 꺼줘', ['stop my-tts at 18:00'], 'Did you mean /endpoint stop my-tts at 18:00?'],
    [
      'my-tts 퇴근할 때 꺼줘',
      ['stop my-tts'],
      'my-tts? I could not read the time, so it is left out: set it in the form.',
    ],
    ['모레까지 code-llm 켜둬', ['start code-llm'], 'I could not read the time, so it is left out: set it in the form.'],
    ['9시부터 6시까지 code-llm 켜줘', ['start code-llm'], 'I could not read the time, so it is left out'],
    [
      'code-llm 2시간 뒤에 켜줘',
      ['schedule code-llm'],
      'To start an endpoint at a set time, use a schedule. Did you mean /endpoint schedule code-llm?',
    ],
    [
      '다음 주 월요일에 code-llm 켜줘',
      ['schedule code-llm'],
      'To start an endpoint at a set time, use a schedule. Did you mean /endpoint schedule code-llm?',
    ],
    [
      'code-llm 내일 아침 9시에 켜줘',
      ['schedule code-llm'],
      'To start an endpoint at a set time, use a schedule. Did you mean /endpoint schedule code-llm?',
    ],
    ['오후 7시에 my-tts 끄고 내일 9시에 켜줘', ['stop my-tts at 19:00', 'schedule my-tts'], 'stop my-tts at 19:00 or '],
    ['중지 my-tts 19:00', ['stop my-tts at 19:00'], 'Did you mean /endpoint stop my-tts at 19:00?'],
    ['my-tts 설정 바꿔줘', ['patch my-tts'], 'Did you mean /endpoint patch my-tts?'],
    ['comfyui 켜줘', ['start'], 'No endpoint is named “comfyui”.'],
    ['2시간 뒤에 my-tts 재시작해줘', ['restart my-tts'], 'I could not read the time, so it is left out.'],
    ['code-llm 켜고 2시간 뒤 꺼줘', ['start code-llm for 2h'], 'Did you mean /endpoint start code-llm for 2h?'],
    ['code-llm 30분만 돌려줘', ['start code-llm for 30m'], 'Did you mean /endpoint start code-llm for 30m?'],
    ['my-tts 30분 안 쓰면 꺼줘', ['idle my-tts after 30m'], 'Did you mean /endpoint idle my-tts after 30m?'],
    [
      '평일 9시부터 6시까지만 code-llm 켜줘',
      ['schedule code-llm up weekdays 09:00-18:00'],
      'Did you mean /endpoint schedule code-llm up weekdays 09:00-18:00?',
    ],
    [
      'my-tts 밤 10시부터 아침 8시까지 꺼줘',
      ['schedule my-tts down daily 22:00-08:00'],
      'Did you mean /endpoint schedule my-tts down daily 22:00-08:00?',
    ],
    ['my-tts 이번 주말 동안 꺼 둬', ['stop my-tts'], 'stop my-tts? I could not read the time'],
    ['my-tts off this weekend', ['stop my-tts'], 'stop my-tts? I could not read the time'],
    ['my-tts 스케줄 없애줘', ['unschedule my-tts'], 'Did you mean /endpoint unschedule my-tts?'],
    ['my-tts 레플리카 5개로 늘려줘', ['scale my-tts to 5'], 'Did you mean /endpoint scale my-tts to 5?'],
    ['자동화 다 멈춰줘', ['freeze'], 'Did you mean /endpoint freeze?'],
    ['자동화 다시 켜줘', ['thaw'], 'Did you mean /endpoint thaw?'],
    ['my-tts 자동화 다시 켜줘', ['resume my-tts'], 'Did you mean /endpoint resume my-tts?'],
    ['my-tts 자동화 멈춰줘', ['keep my-tts 2h'], 'Did you mean /endpoint keep my-tts 2h?'],
    ['code-llm 4시간 반 동안 켜줘', ['start code-llm for 4h30m'], 'Did you mean /endpoint start code-llm for 4h30m?'],
    [
      'code-llm 내일까지 켜 둬',
      ['start code-llm until tomorrow 09:00', 'start code-llm until tomorrow 24:00'],
      'Did you mean /endpoint start code-llm until tomorrow 09:00 or /endpoint start code-llm until tomorrow 24:00?',
    ],
    ['code-llm 이틀 동안 켜 둬', ['start code-llm for 2d'], 'Did you mean /endpoint start code-llm for 2d?'],
    [
      'my-tts 내일까지 일시중지해 줘',
      ['keep my-tts until tomorrow 09:00', 'keep my-tts until tomorrow 24:00'],
      'Did you mean /endpoint keep my-tts until tomorrow 09:00 or /endpoint keep my-tts until tomorrow 24:00?',
    ],
    ['code-llm 4시간만 켜줘', ['start code-llm for 4h'], 'Did you mean /endpoint start code-llm for 4h?'],
    ['my-tts 스케줄 지워줘', ['unschedule my-tts'], 'Did you mean /endpoint unschedule my-tts?'],
    ['다음 주까지 code-llm 켜줘', ['start code-llm until mon'], 'Did you mean /endpoint start code-llm until mon?'],
    ['code-llm 다음 주 금요일까지 켜줘', ['start code-llm'], 'Did you mean /endpoint start code-llm?'],
    [
      'my-tts 다음주까지 끄지 마',
      ['keep my-tts until mon', 'protect my-tts'],
      'Did you mean /endpoint keep my-tts until mon or /endpoint protect my-tts?',
    ],
    ['code-llm 주말까지 켜줘', ['start code-llm'], 'Did you mean /endpoint start code-llm?'],
    [
      'my-tts 오늘 밤에만 꺼줘',
      ['stop my-tts at 22:00'],
      '22:00 is only a suggestion: type another time if you mean one.',
    ],
    ['ben is away until friday', ['away until friday'], 'Did you mean /endpoint away until friday?'],
    ['월요일까지 벤한테 승인 위임해줘', ['away'], 'Did you mean /endpoint away?'],
    ['나 휴가야 벤한테 승인 맡겨줘', ['away'], 'Did you mean /endpoint away?'],
    ['오늘 저녁 7시에 my-tts 내려줘', ['stop my-tts at 19:00'], 'Did you mean /endpoint stop my-tts at 19:00?'],
    ['code-llm 두 시간 동안 올려줘', ['start code-llm for 2h'], 'Did you mean /endpoint start code-llm for 2h?'],
    ['오늘 밤 my-tts 꺼 줘', ['stop my-tts at 22:00'], 'Did you mean /endpoint stop my-tts at 22:00?'],
    ['오늘 밤 11시에 my-tts 꺼 줘', ['stop my-tts at 23:00'], 'Did you mean /endpoint stop my-tts at 23:00?'],
    ['my-tts 밤 12시에 꺼줘', ['stop my-tts at 24:00'], 'Did you mean /endpoint stop my-tts at 24:00?'],
    ['my-tts 밤 1시에 꺼줘', ['stop my-tts at 01:00'], 'Did you mean /endpoint stop my-tts at 01:00?'],
    ['my-tts 자정에 꺼줘', ['stop my-tts at 24:00'], 'Did you mean /endpoint stop my-tts at 24:00?'],
    ['my-tts 저녁에 꺼줘', ['stop my-tts at 18:00'], 'Did you mean /endpoint stop my-tts at 18:00?'],
    ['code-llm 저녁에 켜줘', ['start code-llm'], 'Did you mean /endpoint start code-llm?'],
    ['code-llm 오늘 밤 켜 둬', ['start code-llm until 09:00'], 'Did you mean /endpoint start code-llm until 09:00?'],
    ['my-tts 2시간 뒤에 꺼줘', ['stop my-tts at 2h'], 'Did you mean /endpoint stop my-tts at 2h?'],
    ['my-tts until tonight', ['stop my-tts', 'status my-tts'], 'What would you like to do with my-tts?'],
    [
      'code-llm off at night',
      ['schedule code-llm down daily 22:00-06:00'],
      'Did you mean /endpoint schedule code-llm down daily 22:00-06:00?',
    ],
    [
      'stop my-tts at night',
      ['schedule my-tts down daily 22:00-06:00'],
      'Did you mean /endpoint schedule my-tts down daily 22:00-06:00?',
    ],
    [
      'start my-tts at 14:00',
      ['schedule my-tts up weekdays 14:00-20:00'],
      'To start an endpoint at a set time, use a schedule. Did you mean /endpoint schedule my-tts up weekdays',
    ],
    [
      'start code-llm this afternoon',
      ['start code-llm for this afternoon'],
      'Did you mean /endpoint start code-llm for',
    ],
    [
      'stop my-tts tonight',
      ['stop my-tts at 18:00', 'stop my-tts at 22:00'],
      'Did you mean /endpoint stop my-tts at 18:00 or /endpoint stop my-tts at 22:00?',
    ],
  ])('%j is answered with the likeliest command, about the endpoint it names', async (typed, lines, says) => {
    const plain = near()
    const result = await accept(contextOf(plain), arriving(typed))
    if (result.kind !== 'said') throw new Error(`It was ${result.kind}.`)
    expect(english(result.says)).toContain(says)
    expect((result.offers ?? []).map(({ line }) => line)).toEqual(lines)
    // Whoever presses a button has read what it is about.
    for (const { label, line } of result.offers ?? [])
      for (const name of ['my-tts', 'code-llm'])
        expect(english(label).includes(name)).toBe(line.includes(name) && !/^(history|status)/.test(line))
    expect(plain.stored).toEqual([])
  })

  test.each([
    ['my-tts 빼고 다 켜 줘', 'start code-llm'],
    ['my-tts 말고 code-llm 켜 줘', 'start code-llm'],
    ['code-llm 빼고 전부 꺼 줘', 'stop my-tts'],
    ['stop everything except code-llm', 'stop my-tts'],
    ['my-tts 끄고 code-llm 켜 줘', 'stop my-tts', 'start code-llm'],
    ['주말에 my-tts랑 code-llm 꺼 줘', 'schedule my-tts down weekends', 'schedule code-llm down weekends'],
  ])('(%s) is offered one by one, and nothing about what it leaves out', async (typed, ...lines) => {
    const result = await accept(contextOf(near()), arriving(typed))
    if (result.kind !== 'said') throw new Error(`It was ${result.kind}.`)
    expect(english(result.says)).toBe('I can only do that for one endpoint at a time. Which one?')
    expect((result.offers ?? []).map(({ line }) => line)).toEqual(lines)
  })

  test.each([
    ['what did ben do today', 'history today who=ben'],
    ['what ben did yesterday', 'history yesterday who=ben'],
    ['show me everything that ben did', 'history who=ben'],
    ['what is mine?', 'history who=me'],
    ['벤이 오늘 뭐 했어?', 'history today who="벤"'],
    ['will my-tts run tomorrow?', 'schedules my-tts'],
    ['does my-tts run at night?', 'schedules my-tts'],
    ['is my-tts going to stop tonight?', 'schedules my-tts'],
    ['my-tts 내일 켜져?', 'schedules my-tts'],
    ['my-tts 켜져 있어?', 'status my-tts'],
    ['why did my-tts stop?', 'history stopped my-tts'],
    ['why is code-llm running', 'history started code-llm'],
    ['why is code-llm still on?', 'history started code-llm'],
    ['who stopped what yesterday?', 'history stopped yesterday'],
    ['who stopped things today', 'history stopped today'],
    ['what is off?', 'list stopped'],
    ['what happens tonight', 'schedules'],
    ['who can approve', 'whoami'],
    ['what does the policy say', 'whoami'],
    ['정책 알려줘', 'whoami'],
    ['give ben access', 'whoami'],
    ['give me the bill', 'list'],
    ['when will my-tts stop', 'schedules my-tts'],
    ['why is my-tts going to stop?', 'schedules my-tts'],
    ['why will my-tts stop?', 'schedules my-tts'],
    ['my-tts 왜 꺼지려고 해?', 'schedules my-tts'],
    ['my-tts 왜 꺼졌어?', 'history stopped my-tts'],
    ['what is running?', 'list running'],
    ['is my-tts running?', 'status my-tts'],
    ['show me the logs of my-tts', 'logs my-tts'],
    ['status of my-tts please', 'status my-tts'],
    ['what does it all cost', 'list'],
    ['what are we paying right now', 'list'],
    ['cost', 'list'],
    ['놀고 있는 거 있어?', 'list idle'],
    ['which endpoints are idle?', 'list idle'],
    ['안 쓰는 엔드포인트 있어?', 'list idle'],
    ['어제 뭐 했어?', 'history yesterday'],
    ['김민수가 뭐 바꿨어?', 'history who="김민수"'],
    ['벤 님이 뭐 요청했어?', 'history who="벤"'],
    ['my-tts 꺼도 돼?', 'explain stop my-tts'],
    ['spend this month', 'savings 30d'],
    ['what stopped yesterday?', 'history stopped yesterday'],
    ['what stopped tonight?', 'history stopped today'],
    ['which endpoints started today?', 'history started today'],
    ['어제 뭐 꺼졌어?', 'history stopped yesterday'],
    ['오늘 뭐가 켜졌어?', 'history started today'],
    ['what did we save this week', 'savings 7d'],
    ['how much did we save last week?', 'savings 7d'],
    ['이번 달에 얼마나 절약했어?', 'savings 30d'],
    ['what do we spend and on what?', 'savings'],
    ['how much did we save', 'savings'],
    ['save', 'savings'],
    ['who am i', 'whoami'],
    ['왜 멈췄어', 'history'],
    ['my-tts 언제 꺼져?', 'schedules my-tts'],
    ['my-tts 언제 꺼졌어?', 'history stopped my-tts'],
    ['my-tts 몇 시에 켜져?', 'schedules my-tts'],
    ['my-tts 스케줄 보여줘', 'schedules my-tts'],
    ['이번 주에 얼마 아꼈어?', 'savings 7d'],
    ['뭐 할 수 있어?', 'whoami'],
    ['오늘 밤에 뭐가 꺼져?', 'schedules'],
    ['my-tts 왜 꺼졌어?', 'history stopped my-tts'],
    ['어제 누가 껐어?', 'history stopped yesterday'],
    ['얼마나 아꼈어?', 'savings'],
    ['이번 달에 얼마 썼어?', 'savings 30d'],
    ['뭐가 놀고 있어?', 'list idle'],
    ['who changed my-tts last week', 'history my-tts since=7d'],
    ['who stopped my-tts in the last 3 days', 'history stopped my-tts since=3d'],
    ['what happened this month', 'history since=30d'],
    ['지난주에 누가 my-tts 바꿨어?', 'history my-tts since=7d'],
    ['최근 3일 동안 누가 my-tts 껐어?', 'history stopped my-tts since=3d'],
  ])('%j only asks, so it is answered as %s; from a program it is not', async (typed, line) => {
    const gateway = near()
    await accept(contextOf(gateway), arriving(typed))
    expect(gateway.stored.map((one) => one.line)).toEqual([line])
    const other = near()
    expect(await accept(contextOf(other), { ...arriving(typed), via: 'program' })).toMatchObject(
      typed.startsWith('status of') ? { kind: 'taken' } : { kind: 'said' },
    )
  })

  test.each([
    ['what would happen if I stop code-llm?', 'explain stop code-llm'],
    ['can I stop code-llm?', 'explain stop code-llm'],
    ['pause automation for code-llm until 18:00', 'keep code-llm until 18:00'],
    ['resume automation for code-llm', 'resume code-llm'],
    ['set replicas of code-llm to 3', 'scale code-llm to 3'],
    ['stop my-tts because the run is over', 'stop my-tts because="the run is over"'],
    ['start code-llm because of the demo until 6pm', 'start code-llm until 18:00 because="of the demo"'],
    ['decline my-tts because it is at work', 'decline my-tts because="it is at work"'],
    ['freeze because nobody looks at it', 'freeze because="nobody looks at it"'],
    ['please stop my-tts', 'stop my-tts'],
    ['my-tts 중지', 'stop my-tts'],
    ['code-llm Start', 'start code-llm'],
    ['stop my-tts now please!', 'stop my-tts'],
    ['stop my-tts please', 'stop my-tts'],
    ['keep my-tts up until tomorrow', 'keep my-tts until tomorrow'],
    ['keep my-tts up until tomorrow at 9', 'keep my-tts until tomorrow 09:00'],
    ['keep my-tts on until I’m back on friday at 6 pm', 'keep my-tts until friday 18:00'],
    ['keep my-tts up until I’m back on monday 10:00', 'keep my-tts until monday 10:00'],
    ['history my-tts last week', 'history my-tts since=7d'],
    ['history my-tts yesterday', 'history yesterday my-tts'],
    ['history stopped in the last 3 days', 'history stopped since=3d'],
    ['기록 my-tts 지난주', 'history my-tts since=7d'],
    ['보호 해제 my-tts', 'unprotect my-tts'],
    ['schedule code-llm off on weekends', 'schedule code-llm down weekends'],
    ['schedule code-llm up on weekdays from 9 to 18 please', 'schedule code-llm up weekdays 09:00-18:00'],
    ['schedule code-llm down every day from 19:00 until 7:00', 'schedule code-llm down daily 19:00-07:00'],
    ['일정 code-llm 실행 평일 09:00-18:00', 'schedule code-llm up weekdays 09:00-18:00'],
    ['일정 code-llm 중지 토,일', 'schedule code-llm down weekends'],
    ['start code-llm for 두 시간', 'start code-llm for 2h'],
    ['start code-llm for 2 hours', 'start code-llm for 2h'],
    ['scale my-tts up to 3', 'scale my-tts to 3'],
    ['scale my-tts down to 1 please', 'scale my-tts to 1'],
    ['start code-llm for an hour because="demo"', 'start code-llm for 1h because=demo'],
  ])('%j says what it is about in full', async (typed, line) => {
    const gateway = near()
    await accept(contextOf(gateway), arriving(typed))
    expect(gateway.stored.map((one) => one.line)).toEqual([line])
  })

  // It is 21:00 and 22:00 there.
  test.each([
    ['Pacific/Auckland', ['22:00', '24:00']],
    ['Pacific/Kiritimati', ['24:00']],
  ])('about tonight is answered with what is still ahead in %s', async (zone, times) => {
    const gateway = doorway('default', ['*'], { role: 'operator', more: { zoneOf: async () => zone } })
    const near = times.map((time) => `/endpoint stop my-tts at ${time}`).join(' or ')
    expect(await terminal(gateway).line('stop my-tts tonight')).toContain(`Did you mean ${near}?`)
  })

  // It is 21:00 there.
  test('about an hour of either half of the day is answered with both, the next one first', async () => {
    const gateway = doorway('default', ['*'], { role: 'operator', more: { zoneOf: async () => 'Asia/Tokyo' } })
    const typed = terminal(gateway)
    expect(await typed.line('10시에 my-tts 꺼줘')).toContain('at 22:00 or /endpoint stop <endpoint> at tomorrow 10:00?')
    expect(await typed.line('오늘 10시에 my-tts 꺼줘')).toContain('stop <endpoint> at today 22:00?')
  })

  test('about keeping it on has buttons that say until when', async () => {
    const result = await accept(
      contextOf({ ...near(), zoneOf: async () => 'Asia/Tokyo' }),
      arriving('my-tts 7시까지 켜 둬'),
    )
    if (result.kind !== 'said') throw new Error(`It was ${result.kind}.`)
    expect((result.offers ?? []).map(({ label }) => english(label))).toEqual([
      'Keep my-tts running until 19:00',
      'Keep my-tts running until tomorrow 07:00',
    ])
  })

  test('about what is somebody’s own is answered with what they have started last', async () => {
    const plain = near()
    const endpoints = ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => ({ id: `ep-${name}`, name, active: true }))
    const starting = (name: string, user: string): Request => ({
      ...stopping({}, { line: `start ep-${name}`, endpoint: { id: `ep-${name}`, name }, status: 'succeeded' }),
      actor: { ...ana, user },
    })
    const requests = [starting('a', ana.user), starting('b', 'U0BEN'), starting('b', ana.user)]
    const store = {
      ...plain.store,
      names: async () => ({ at: start, endpoints }),
      past: async () => ({ requests, more: false }),
    }
    const result = await accept(contextOf({ ...plain, store }), arriving('stop everything of mine tonight'))
    if (result.kind !== 'said') throw new Error(`It was ${result.kind}.`)
    expect(english(result.says)).toContain('As far as I know, you started this one.')
    expect(result.offers?.map((one) => one.line)).toEqual(['stop a at 22:00'])
    const all = await accept(contextOf({ ...plain, store }), arriving('stop everything at 19:00'))
    expect(all.kind === 'said' && all.offers?.slice(-2).map((one) => one.line)).toEqual(['stop e at 19:00', 'stop'])
  })

  test('about a schedule is told that its times are only meant, and which schedule there is already', async () => {
    const typed = terminal(scheduled('down mon-wed 22:00-06:00'))
    const says = 'The times are only a suggestion: change them in the form.'
    const known = 'my-tts already has a schedule: stopped mon–wed 22:00–06:00 UTC.'
    expect(await typed.line('make sure my-tts is off at night')).toMatch(`06:00? ${known} ${says}`)
    expect(await typed.line('my-tts off at night')).toBe(
      `Did you mean /endpoint schedule my-tts down daily 22:00-06:00? ${known} ${says}`,
    )
    expect(await typed.line('make sure code-llm is off at night')).toMatch(new RegExp(`06:00\\? ${says}$`))
    expect(await typed.line('stop my-tts tonight')).not.toContain('suggestion')
  })

  test.each([
    ['down daily 22:00-06:00', 'stopped daily 22:00–06:00 UTC'],
    ['down daily 20:00-08:00', 'stopped daily 20:00–08:00 UTC'],
    // It is stopped at all other times.
    ['up weekdays 09:00-20:00', 'running weekdays 09:00–20:00 UTC'],
  ])('about what the schedule “%s” does anyway is told so, and offered its change', async (rule, told) => {
    const gateway = scheduled(rule)
    for (const line of ['make sure my-tts is off at night', 'stop my-tts at night', 'my-tts 밤에 중지']) {
      const result = await accept(contextOf(gateway), arriving(line))
      if (result.kind !== 'said') throw new Error(`It was ${result.kind}.`)
      expect(english(result.says)).toBe(`my-tts is already stopped then, by its schedule: ${told}.`)
      expect(result.offers?.map((one) => one.line)).toEqual(['schedules my-tts', 'schedule my-tts'])
    }
  })

  test.each<[string, StoredRecord, string, string]>([
    [
      'hold:ep-tts',
      { kind: 'hold', id: 'h1', endpoint: 'ep-tts', at: start, until: start + 3_600_000, by: ana },
      'Automation for my-tts is paused until',
      'resume my-tts',
    ],
    ['freeze', { kind: 'freeze', by: ana, at: start, until: null }, 'paused until someone resumes it.', 'thaw'],
  ])(
    'about what its schedule does not do under a %s is told of that, and offered its end',
    async (key, record, ...told) => {
      const plain = scheduled('up weekdays 09:00-20:00')
      const records = async () => new Map([...(await plain.store.records()), [key, record]])
      const paused = { ...plain, store: { ...plain.store, records } }
      const [says, line] = told
      const result = await accept(contextOf(paused), arriving('make sure my-tts is off at night'))
      if (result.kind !== 'said') throw new Error(`It was ${result.kind}.`)
      expect(english(result.says)).toContain(says)
      expect(english(result.says)).toContain(
        'Only after that does its schedule apply: running weekdays 09:00–20:00 UTC.',
      )
      expect(result.offers?.map((one) => one.line)).toEqual([line, 'schedules my-tts', 'schedule my-tts'])
    },
  )

  test('about what contradicts its schedule is told so, and offered no rule that would be refused', async () => {
    const gateway = scheduled('up weekdays 09:00-20:00', 'Asia/Seoul')
    for (const line of ['make sure my-tts is off at night', 'my-tts 밤에 꺼 줘', 'my-tts off at night']) {
      const result = await accept(contextOf(gateway), arriving(line))
      if (result.kind !== 'said') throw new Error(`It was ${result.kind}.`)
      expect(english(result.says)).toBe(
        'Its schedule keeps my-tts running at some of those times (22:00–05:00 Seoul time): running weekdays 09:00–20:00 UTC. Change that first.',
      )
      expect(result.offers?.map((one) => one.line)).toEqual(['schedules my-tts', 'schedule my-tts'])
    }
  })

  test('about a schedule is offered one of the asker’s zone, where a typed one would be of the team’s', async () => {
    const elsewhere = { ...near(), zoneOf: async () => 'Asia/Seoul', ...teamIn('Europe/Madrid') }
    const result = await accept(contextOf(elsewhere), arriving('my-tts 밤에 꺼 줘'))
    if (result.kind !== 'said') throw new Error(`It was ${result.kind}.`)
    expect(english(result.says)).toContain('Did you mean /endpoint schedule my-tts down daily 22:00-06:00 Asia/Seoul?')
    expect(result.offers?.map((one) => one.line)).toEqual(['schedule my-tts down daily 22:00-06:00 Asia/Seoul'])
    const same = await accept(contextOf({ ...elsewhere, ...teamIn('Asia/Seoul') }), arriving('my-tts off at night'))
    expect(same.kind === 'said' && english(same.says)).toContain('down daily 22:00-06:00?')
  })

  test('about a moment fills its picker, in the time zone of whoever typed it', async () => {
    const ahead = async (zone: string) => {
      const form = await openForm(contextOf({ ...near(), zoneOf: async () => zone }), arriving('stop my-tts at mon'))
      return form.kind === 'form' ? Date.parse(String(form.form.values['at'])) : Number.NaN
    }
    expect((await ahead('UTC')) - (await ahead('Asia/Seoul'))).toBe(9 * 3_600_000)
  })

  test('about more time for what has an end is offered a later end', async () => {
    const plain = near()
    const given = { id: 'r1', endpoint: 'ep-tts', at: start, owner: ana, kind: 'once' } as const
    const offered = async (record: StoredRecord) => {
      const store = { ...plain.store, records: async () => new Map([['r1', record]]) }
      const gateway = { ...plain, store, zoneOf: async () => 'UTC' }
      const result = await accept(contextOf(gateway), arriving('extend my-tts by 2h'))
      return result.kind === 'said' && result.offers?.map(({ line }) => line)
    }
    const end = start + 3_600_000
    expect(await offered({ ...given, want: 'up', until: end })).toEqual(['start my-tts until today 11:00'])
    expect(await offered({ ...given, want: 'down', at: end })).toEqual(['keep my-tts until today 11:00'])
  })

  test('about a run in the nights of what runs by day is offered that, and told of its schedule', async () => {
    const said = await terminal(scheduled('up weekdays 09:00-20:00')).line('make sure my-tts is on at night')
    expect(said).toMatch(/schedule my-tts up daily 22:00-06:00\? my-tts already has a schedule: running weekdays/)
  })

  test('about a stop by the clock of what is protected is told so, and offered none', async () => {
    const says = sentenceIn('schedule.guarded', { name: 'my-tts', entry: 'overrides[0], match my-*' })
    const plain = near()
    const guarded = {
      ...plain,
      foresee: async (_: unknown, line: string) =>
        line.startsWith('schedule my-tts') || / at /.test(line) ? ({ kind: 'wrong', says } as const) : null,
    }
    for (const typed of ['make sure my-tts is off at night', 'my-tts 밤에 꺼 줘', 'stop my-tts tonight']) {
      const result = await accept(contextOf(guarded), arriving(typed))
      expect(result).toEqual({ kind: 'said', says, offers: [] })
    }
    const result = await accept(contextOf(guarded), arriving('keep my-tts off tonight'))
    expect(result).toMatchObject({ kind: 'said', offers: [{ line: 'stop my-tts' }] })
  })

  test.each([
    ['ben 요청 승인해 줘', 'No waiting request matches “ben”. These are waiting:'],
    ['ben이 요청한 거 승인해 줘', 'No waiting request matches “ben”. These are waiting:'],
    ['벤 님 요청 승인해 줘', 'No waiting request matches “벤”. These are waiting:'],
    ['ana 요청 승인해 줘', '1 request is waiting for you'],
    ['my-llm 요청 승인해 줘', '1 request is waiting for you'],
    ['내 요청 승인해 줘', '1 request is waiting for you'],
    ['아나가 요청한 거 승인해 줘', '1 request is waiting for you'],
    ['아나 씨 요청 승인해 줘', '1 request is waiting for you'],
    ['승인해 줘', '1 request is waiting for you'],
  ])('(%s) is told whether whoever it names waits for anything', async (typed, title) => {
    const plain = near()
    const home = { ...plain.home, open: async () => [asked()], answersOf: async () => () => true }
    const result = await accept(contextOf({ ...plain, home, namesOf: async () => ['Ana', '김아나'] }), arriving(typed))
    if (result.kind !== 'answered') throw new Error(`It was ${result.kind}.`)
    expect(english(result.answer.title)).toBe(title)
    expect(result.answer.items).toHaveLength(1)
  })

  test('about a schedule of what is autoscaled is offered the word for that, and told of it', async () => {
    const endpoints = [{ id: 'ep-image', name: 'image-gen', active: true, autoscaled: true }]
    const plain = near()
    const scaled = { ...plain, store: { ...plain.store, names: async () => ({ at: start, endpoints }) } }
    for (const typed of ['make sure image-gen is off at night', 'image-gen 밤에 꺼 줘']) {
      const result = await accept(contextOf(scaled), arriving(typed))
      if (result.kind !== 'said') throw new Error(`It was ${result.kind}.`)
      expect(english(result.says)).toContain('image-gen is autoscaled, so the platform starts and stops it as well;')
      const line = 'schedule image-gen down daily 22:00-06:00 autoscaled=yes'
      expect(result.offers?.map((one) => one.line)).toEqual([line])
    }
  })

  test('about what a schedule of another time zone, or of half the nights, does is offered its own', async () => {
    const [here, there] = [scheduled('down weekdays 22:00-06:00'), scheduled('down daily 22:00-06:00', 'Asia/Seoul')]
    for (const gateway of [here, there])
      expect(await terminal(gateway).line('my-tts off at night')).toMatch('already has a schedule: ')
  })

  test.each([
    ['down daily 13:00-21:00', 'Asia/Seoul', 'my-tts is already stopped then, by its schedule: '],
    ['down daily 14:00-21:00', 'Asia/Seoul', 'my-tts already has a schedule: '],
    // Madrid is ahead of UTC by one hour in winter, and by two in summer.
    ['down daily 20:00-05:00', 'Europe/Madrid', 'my-tts is already stopped then, by its schedule: '],
    ['down daily 21:00-05:00', 'Europe/Madrid', 'my-tts already has a schedule: '],
  ])('about what the schedule “%s” in UTC does to the nights of %s is told so', async (rule, zone, told) => {
    const gateway = scheduled(rule, zone)
    for (const line of ['my-tts off at night', '밤에 my-tts 꺼 줘'])
      expect(await terminal(gateway).line(line)).toMatch(told)
  })

  test('with a wrong word gets an example about its endpoint, and its form as far as it goes', async () => {
    const gateway = doorway('default', ['*'], { role: 'operator' })
    const typed = terminal(gateway)
    expect(await typed.line('schedule code-llm off at night')).toMatch(
      /For example: \/endpoint schedule code-llm down daily 22:00-06:00 \[schedule code-llm down\]$/,
    )
    expect(await typed.line('schedule code-llm off nights')).toBe(
      'Which times are the night? For example: daily 22:00-06:00. [schedule code-llm down daily 22:00-06:00]',
    )
    expect(await typed.line('schedule code-llm off 20:00-08:00')).toBe(
      'Which days? For example: daily 20:00-08:00. [schedule code-llm down daily 20:00-08:00]',
    )
    expect(await typed.line('scale code-llm to 0')).toMatch(/For example: \/endpoint stop code-llm \[/)
    expect(await typed.line('keep code-llm whenever')).toBe(
      'Say how long: 2h, tonight, or until 22:00. “whenever” is none of these. For example: /endpoint keep code-llm 2h [keep code-llm]',
    )
  })

  test('“keep … off” of a button, a form or a program still ends a pause', async () => {
    for (const via of ['button', 'form', 'program'] as const) {
      const gateway = near()
      expect(await terminal(gateway).line('keep my-tts off', { via })).toBe('taken')
      expect(gateway.stored.map(({ line }) => line)).toEqual(['keep my-tts off'])
    }
  })

  test('that lacks a word gets a form, and why, at once', async () => {
    const gateway = doorway('default', ['*'], { role: 'operator' })
    expect(await terminal(gateway).line('stop')).toBe('form of stop')
    expect(await terminal(gateway).line('keep my-llm 2h until 23:00')).toMatch(/^form of keep: Give either a length/)
    expect(gateway.stored).toEqual([])
  })

  test('that lacks a word is refused at once where its role is lacking, or while there is no policy', async () => {
    const plain = doorway('default', ['*'], { role: 'operator' })
    const home = { ...plain.home, membersOf: () => [{ kind: 'user', id: 'U0BEN' }] as const }
    const says = sentenceIn('role.lacking', { role: 'approver', project: 'default', admins: { any: home.membersOf() } })
    expect(await terminal({ ...plain, home }).line('away')).toBe(says)
    expect(await terminal({ ...plain, home }).fill('away until mon')).toBe(says)
    expect(await terminal(doorway('default', ['*'], { role: 'viewer' })).line('stop')).toBe(sentenceIn('role.noPolicy'))
  })

  test('with something like a token in it is not stored, and its form is offered without that', async () => {
    const gateway = doorway('default', ['*'], { role: 'operator' })
    const token = `ghp_${'a1B2'.repeat(9)}`
    expect(await terminal(gateway).line(`stop my-llm because=${token}`)).toBe(
      `${sentenceIn('line.secret')} [stop my-llm]`,
    )
    expect(await terminal(gateway).line(`logs my-llm search=${token}`)).toBe(sentenceIn('line.secret'))
    expect(gateway.stored).toEqual([])
  })

  test('that names secret values is not stored, and its form is offered', async () => {
    const gateway = doorway('default', ['*'], { role: 'operator' })
    expect(await terminal(gateway).line('patch my-llm env=KEY')).toMatch(/are set in the form.* \[patch my-llm\]$/)
    expect(gateway.stored).toEqual([])
  })

  test('that asks for help where no project is learns that, and nothing else', async () => {
    expect(await terminal().line('help stop')).toBe(sentenceIn('project.none'))
  })

  test.each([
    'help',
    'help stop',
    'stp x y z',
    'stop',
    'set-env my-llm set=K=v',
    `stop my-llm because=ghp_${'a1B2'.repeat(9)}`,
  ])('(%s) of somebody without a role shows them nothing but that they have none', async (line) => {
    const gateways = [doorway('default', ['*']), doorway('one', ['C0ONE']), doorway('two', ['C0TWO'])] as const
    const [gateway, ...two] = gateways
    expect(await terminal(gateway).line(line)).toBe(sentenceIn('role.none'))
    expect(await terminal(...two).line(line, { channel: '' })).toBe(sentenceIn('role.none'))
    expect(gateways.flatMap(({ stored }) => stored)).toEqual([])
  })

  test('that is stored waits for nobody’s role', async () => {
    const gateway = doorway('default', ['*'])
    const home = { ...gateway.home, roleOf: () => Promise.reject(new Error('Nobody is looked up here.')) }
    expect(await terminal({ ...gateway, home }).line('stop my-llm')).toBe('taken')
  })

  test('that asks for help is told of what this person may ask, and how much more there is', async () => {
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
    [{ kind: 'stored', workers: true }, 'taken'],
    [{ kind: 'known', workers: true }, 'taken'],
    [{ kind: 'stored', workers: false }, sentenceIn('request.noWorker')],
    [{ kind: 'nothing', why: 'away' }, sentenceIn('request.notStored', { why: { say: 'storage.away' } })],
    [{ kind: 'nothing', why: 'full' }, sentenceIn('request.notStored', { why: { say: 'storage.full' } })],
    [{ kind: 'perhaps' }, sentenceIn('request.perhapsStored')],
    [{ kind: 'refused', why: 'person' }, sentenceIn('request.tooMuch.person')],
    [{ kind: 'refused', why: 'project' }, sentenceIn('request.tooMuch.project')],
    [{ kind: 'refused', why: 'hour' }, sentenceIn('request.tooMuch.hour')],
    [{ kind: 'refused', why: 'storage' }, sentenceIn('request.tooMuch.storage')],
  ])('of which storage says %j is answered: %s', async (received, says) => {
    expect(await terminal(doorway('default', ['*'], { received })).line('list')).toBe(says)
  })

  test('belongs to the project that names its channel, else to the one that takes every channel, else to none', async () => {
    const [named, every] = [doorway('named', ['C0OPS', 'C0TWO']), doorway('every', ['*'])]
    await terminal(every, named).line('list')
    await terminal(every, named).line('list', { channel: 'C0OTHER' })
    expect(named.stored.map(({ place }) => place.channel)).toEqual(['C0OPS'])
    expect(every.stored.map(({ place }) => place.channel)).toEqual(['C0OTHER'])
    expect(await terminal(named).line('list', { channel: 'C0OTHER' })).toBe(sentenceIn('project.none'))
  })

  test('outside all channels is asked for its project, of those where the asker may', async () => {
    const roles = { one: 'operator', two: 'admin', three: 'viewer' } as const
    const gateways = Object.entries(roles).map(([name, role]) => doorway(name, [`C0${name}`], { role }))
    const outside = { channel: '' }
    expect(await terminal(...gateways).line('stop my-llm', outside)).toBe('line in one or two: stop my-llm')
    expect(await terminal(...gateways).line('stop', outside)).toBe('form in one or two: stop')
    expect(await terminal(...gateways).line('stop x', { channel: 'direct' })).toBe('line in one or two: stop x')
    expect(await terminal(...gateways).line('audit-verify', outside)).not.toBe('taken')
    expect(await terminal(...gateways).line('list', { ...outside, project: 'two' })).toBe('taken')
    const [viewed] = gateways.slice(2)
    expect(
      await terminal(...gateways.slice(2), doorway('four', ['C0four'], { role: 'viewer' })).line('stop x', outside),
    ).toBe('You need the operator role for that, and you don’t have it in three or four.')
    expect(viewed?.stored).toEqual([])
  })

  test('outside all channels goes to the operations channel, a query to whoever asks; without one its form asks where', async () => {
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

  test('is the same request each time it is delivered, and another one when it is typed again', async () => {
    const gateway = doorway('default', ['*'])
    for (const delivery of ['d1', 'd1', 'd2']) await terminal(gateway).line('list', { delivery })
    const [first, second, third] = gateway.stored.map(({ id }) => id)
    expect(first).toMatch(/^[\w-]{22}$/)
    expect(second).toBe(first)
    expect(third).not.toBe(first)
  })

  test('is taken although nobody could be woken: the sweep makes up for it', async () => {
    const queue = { wake: () => Promise.reject(new Error('The queue is away.')) }
    expect(await terminal(doorway('default', ['*'], { more: { queue } })).line('list')).toBe('taken')
  })
})

describe('An answer that comes in', () => {
  const id = 'r'.repeat(22)

  test('is stored as it was pressed, with the question it answers, and wakes a worker', async () => {
    const gateway = doorway('default', ['*'])
    expect(await terminal(gateway).press(`${id}.2`)).toBe('taken')
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
  ])('that carries %j answers nothing: whatever is forged into a button is only refused', async (value) => {
    const gateway = doorway('default', ['*'])
    expect(await terminal(gateway).press(value)).toBe(sentenceIn('approval.replaced'))
    expect(gateway).toMatchObject({ pressed: [], woken: [] })
  })

  test.each<[Received, string]>([
    [{ kind: 'perhaps' }, sentenceIn('request.pressPerhapsStored')],
    [{ kind: 'gone' }, sentenceIn('request.forgotten')],
    [{ kind: 'refused', why: 'person' }, sentenceIn('request.tooMuch.person')],
  ])('of which storage says %j is answered: %s', async (received, says) => {
    expect(await terminal(doorway('default', ['*'], { received })).press(`${id}.1`)).toBe(says)
  })

  test('in a channel that belongs to no project answers nothing', async () => {
    expect(await terminal(doorway('default', ['C0OTHER'])).press(`${id}.1`)).toBe(sentenceIn('approval.replaced'))
  })
})

describe('A form', () => {
  const secrets = [{ field: 'env', entries: [{ key: 'KEY', value: 'hunter22' }] }]

  test('is opened for whoever has a role, and called by the request that it is about', async () => {
    const other = stopping({}, { id: 'q'.repeat(22) })
    const gateway = doorway('default', ['*'], { role: 'operator' })
    const store = { ...gateway.store, load: async () => other }
    expect(await terminal({ ...gateway, store }).fill(`decline ${other.id}`)).toBe('form of decline: Stop my-llm')
    expect(await terminal(gateway).fill('stop x y')).toContain('I don’t understand “y” here.')
    expect(await terminal(doorway('default', ['*'])).fill('stop my-llm')).toBe(sentenceIn('role.none'))
  })

  test('is a line like any other', async () => {
    const gateway = doorway('default', ['*'], { role: 'operator' })
    expect(await terminal(gateway).submit('stop my-llm')).toBe('taken')
    expect(gateway.stored).toMatchObject([{ line: 'stop my-llm', via: 'form' }])
  })

  test('about an endpoint that another request holds stays open; a stop may take over', async () => {
    const gateway = doorway('default', ['*'], { role: 'operator' })
    const other = stopping({}, { id: 'q'.repeat(22), status: 'running' })
    const store = { ...gateway.store, holderOf: async () => other.id, load: async () => other }
    const held = terminal({ ...gateway, store })
    expect(await held.submit('start my-llm')).toMatch(/^endpoint,This endpoint has another open request: Stop my-llm\./)
    expect(gateway.stored).toEqual([])
    expect(await held.submit('stop my-llm')).toBe('taken')
  })

  test('that lays down a rule shows first what that comes to, or what is wrong with it', async () => {
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
    expect(await terminal(stranger).submit(line)).toBe('taken')
    expect([gateway.stored.length, stranger.stored.length]).toEqual([0, 1])
  })

  test('seals its secret values under its request before that is stored, and stores nothing where it cannot', async () => {
    const sealed: Bound[] = []
    const seal = async (of: Bound) => sealed.push(of) === 1
    const gateway = doorway('default', ['*'], { role: 'operator', more: { sealer: { seal } } })
    expect(await terminal(gateway).submit('patch my-llm env=KEY', secrets)).toBe('taken')
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
