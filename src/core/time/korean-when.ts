import { readWhen } from './parse-when.ts'
import { localAt } from './zone.ts'

const numbers = '한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|열한|열두'.split('|')
const spelled = /(열한|열두|다섯|여섯|일곱|여덟|아홉|열|한|두|세|네) ?(?=시|분|일|주)/g
const half = '(?:(오전|아침|새벽|오후|저녁|밤|낮|점심) ?)?'
const koreanClock = new RegExp(
  `(?:(오늘|내일|[월화수목금토일]요일) ?)?${half}(\\d{1,2})(?::(\\d{2})|시 ?(?:(반)|(\\d{1,2})분)?) ?(?:쯤|경|정각)? ?(까지|에)`,
)
const length = '(?:(\\d{1,3}) ?(시간|분|일|주일?)(?: ?(반|\\d{1,2} ?분))?|(하루|이틀|사흘|일주일))'
const koreanLength = new RegExp(`${length} ?(?:정도|쯤|가량)? ?(동안|만|뒤에?|후에?|있다가|더(?= )|(?=켜|돌|연장))`)
const koreanUnits: Readonly<Record<string, string>> = { 분: 'm', 시간: 'h', 일: 'd', 주: 'w', 주일: 'w' }
const koreanSpans: Readonly<Record<string, string>> = { 하루: '1d', 이틀: '2d', 사흘: '3d', 일주일: '1w' }
const koreanEnd = /(?:(오늘|내일|[월화수목금토일]요일) ?)?(아침|저녁|밤)?까지/
const koreanDays: Readonly<Record<string, string>> = {
  오늘: 'today',
  내일: 'tomorrow',
  월요일: 'mon',
  화요일: 'tue',
  수요일: 'wed',
  목요일: 'thu',
  금요일: 'fri',
  토요일: 'sat',
  일요일: 'sun',
}
const koreanParts: Readonly<Record<string, string>> = { 아침: '09:00', 저녁: '18:00', 밤: '22:00' }

/** "오늘 밤", which is no clock: when something stops, or all the time until work begins. */
const koreanTonight = /오늘 ?(밤|저녁)(?!까지)|저녁에/

/** Moments for which lines have no words. */
const wordless = /모레|글피|(?:이번|다음) ?(?:주말|달)|부터/

/** "여섯 시" as "6 시". */
export function inDigits(typed: string): string {
  return typed
    .replace('자정', '24:00')
    .replace('정오', '12:00')
    .replaceAll(spelled, (_, count: string) => String(numbers.indexOf(count) + 1))
}

/**
 * A time as Koreans write it, as lines have it: "내일 오전 9시까지" is "until tomorrow 09:00". Of "6시" both that it can
 * be; none if there is no time, or none that lines can have.
 */
export function koreanTimes(typed: string, isStop = false): readonly string[] {
  const text = inDigits(typed)
  if (wordless.test(text)) return []
  // Only the day on which next week begins has a word in lines.
  if (/다음 ?주/.test(text)) return /다음 ?주 ?(?:월요일 ?)?까지/.test(text) ? ['until mon'] : []
  const [long, , , , , after = ''] = koreanLength.exec(text) ?? []
  if (long !== undefined) {
    const isLater = /[뒤후]|있다가/.test(after)
    // A start has no time of its own, and a stop has no end.
    return isLater === isStop ? [`${isStop ? 'at' : 'for'} ${koreanSpan(long)}`] : []
  }
  const [found, day, part = '', hours = '', minutes, isHalf, spelt, lead] = koreanClock.exec(text) ?? []
  if (found === undefined) return koreanPart(text, isStop)
  const minute = isHalf === undefined ? (minutes ?? spelt ?? '0') : '30'
  const isSure = part !== '' || minutes !== undefined || Number(hours) > 12 || Number(hours) === 0
  const hour = hourOf(Number(hours), part)
  // What is said of today without its half is of today in either.
  const named = day === '오늘' && isSure ? undefined : day
  return (isSure ? [hour] : [hour, hour + 12]).map((one) =>
    [lead === '까지' ? 'until' : 'at', ...(named === undefined ? [] : [koreanDays[named]]), clockOf(one, minute)].join(
      ' ',
    ),
  )
}

function clockOf(hour: number, minute = '0'): string {
  return `${String(hour === 24 && Number(minute) > 0 ? 0 : hour).padStart(2, '0')}:${minute.padStart(2, '0')}`
}

/** "두 시간 반" as lines have it, "2h30m"; '' if it is no length of time. */
export function koreanSpan(typed: string): string {
  const [found, count = '', unit = '', more = '', span = ''] = new RegExp(length).exec(inDigits(typed)) ?? []
  if (found === undefined) return ''
  const rest = more === '반' ? (unit === '시간' ? '30m' : '') : more.replace(/ ?분/, 'm')
  return koreanSpans[span] ?? `${count}${koreanUnits[unit]}${rest}`
}

/** 밤 is from the evening until the small hours: 밤 11시 is 23:00, 밤 12시 is midnight, and 밤 1시 is 01:00. */
function hourOf(hour: number, part: string): number {
  if (hour === 12) return /오전|새벽|밤/.test(part) ? 24 : hour
  const isAfternoon = part === '밤' ? hour > 5 : /[낮점]/.test(part) ? hour < 7 : /오후|저녁/.test(part)
  return isAfternoon && hour < 12 ? hour + 12 : hour
}

function koreanPart(text: string, isStop: boolean): readonly string[] {
  const [found, part = '저녁'] = koreanTonight.exec(text) ?? []
  if (found === undefined) return koreanDayEnd(text)
  return isStop ? [`at ${koreanParts[part]}`] : part === '밤' ? ['until 09:00'] : []
}

/** "월요일까지" is until work begins, or with all of that day; "오늘까지" is until midnight, as "today" is. */
function koreanDayEnd(text: string): readonly string[] {
  const [, day = '', part] = koreanEnd.exec(text) ?? []
  if (day === '' && part === undefined) return []
  const clocks = part !== undefined ? [koreanParts[part]] : day === '오늘' ? ['24:00'] : ['09:00', '24:00']
  return clocks.map((clock) => ['until', koreanDays[day], clock].filter(Boolean).join(' '))
}

const koreanRange = new RegExp(`${half}(\\d{1,2})시( ?반)? ?부터 ?${half}(\\d{1,2})시( ?반)? ?까지`)
const every = [
  ['평일', 'weekdays'],
  ['주말', 'weekends'],
  ['매일', 'daily'],
  ['밤', 'daily'],
] as const

/** "평일 9시부터 6시까지 켜줘" as a schedule has it, "up weekdays 09:00-18:00"; '' if it says no days or no times. */
export function koreanWindow(typed: string): string {
  const text = inDigits(typed)
  const [found, before = '', first, isFirstHalf, after = '', last, isLastHalf] = koreanRange.exec(text) ?? []
  const [, days] = every.find(([word]) => text.includes(word)) ?? []
  if (found === undefined || days === undefined) return ''
  const from = hourOf(Number(first), before)
  const end = hourOf(Number(last), after)
  const to = after === '' && end < from && end + 12 > from ? end + 12 : end
  const times = [clockOf(from, isFirstHalf && '30'), clockOf(to, isLastHalf && '30')].join('-')
  // "켜지 마" wants the opposite of "켜".
  const isUp = /켜|켤|실행|시작|돌려|돌리/.test(text) !== /[끄추켜하리]지 ?[마말않]|안 [꺼끄켜멈]/.test(text)
  return `${isUp ? 'up' : 'down'} ${days} ${times}`
}

const timed =
  /\d ?(?:시|분|일|주|달|개월)|(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|몇) ?(?:시|분|달)|며칠|하루|이틀|사흘|까지|동안|모레|글피|내일|주말|(?:다음|이번) ?[주달]|퇴근|출근|점심|이따|나중에|[할될] ?때|끝나면|되면|부터|[뒤후]에|새벽|아침|오전|오후|저녁|(?:this|next|coming) (?:week|morning|afternoon|evening)|tonight|tomorrow/

/** Whether something is said about when. */
export function isTimed(typed: string): boolean {
  return timed.test(typed)
}

/**
 * Two lines that differ in their time only: first what comes first, and what is of tomorrow says so. What is over is
 * left out.
 */
export function soonestFirst(lines: readonly string[], now: number, zone: string | null): readonly string[] {
  const [one, other] = lines.map((line) => / (?:at|until) ((?:today )?(\d{2}:\d{2}))$/.exec(line))
  if (lines.length !== 2 || !one || !other || zone === null) return lines
  if (one.input.slice(0, one.index) !== other.input.slice(0, other.index)) return lines
  const today = localAt(now, zone).day
  return [one, other]
    .flatMap(({ input, 1: time = '', 2: clock = '' }) => {
      const read = readWhen(time, now, zone)
      if ('wrong' in read) return []
      const isLater = time === clock && clock !== '24:00' && localAt(read.at, zone).day > today
      return [{ line: isLater ? input.replace(time, `tomorrow ${time}`) : input, at: read.at }]
    })
    .toSorted((a, b) => a.at - b.at)
    .map(({ line }) => line)
}

/** Whether a line has hours that nobody said. */
export function isGuessed(line: string, typed: string): boolean {
  const said = (inDigits(typed).match(/\d+/g) ?? []).map(Number)
  const hours = (line.match(/\b\d\d(?=:\d\d)/g) ?? []).map(Number)
  return hours.some((hour) => !said.includes(hour) && !said.includes(hour - 12))
}

const lately = /(?:\b(?:last|past|this) |지난 ?|이번 ?|최근 ?)(?:(\d{1,3}) ?)?(day|week|month|일|주|달)/i
const dayCounts: Readonly<Record<string, number>> = { week: 7, 주: 7, month: 30, 달: 30 }

/** How far back a sentence looks, as lines have it: "last week" is "since=7d"; '' if it does not say. */
export function sinceIn(text: string): string {
  const [found, count = '1', unit = ''] = lately.exec(text) ?? []
  return found === undefined ? '' : `since=${Number(count) * (dayCounts[unit.toLowerCase()] ?? 1)}d`
}
