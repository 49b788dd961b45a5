const koreanClock =
  /(?:(내일|[월화수목금토일]요일) ?)?(?:(오전|아침|새벽|오후|저녁|밤) ?)?(\d{1,2})(?::(\d{2})|시 ?(?:(반)|(\d{1,2})분)?) ?(까지|에)/
const koreanLength = /(?:(\d{1,3}|한|두|세|네) ?(시간|분|일|주일?)|(하루|이틀|사흘|일주일)) ?(동안|만|뒤에|후에)/
const koreanUnits: Readonly<Record<string, string>> = { 분: 'm', 시간: 'h', 일: 'd', 주: 'w', 주일: 'w' }
const koreanCounts = ['', '한', '두', '세', '네']
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

/** A time as Koreans write it, as lines have it: "내일 9시까지" is "until tomorrow 09:00"; '' if there is none. */
export function koreanTime(typed: string, isStop = false): string {
  const text = typed.replace('자정', '24:00').replace('정오', '12:00')
  // Only the day on which next week begins has a word in lines.
  if (/다음 ?주/.test(text)) return /다음 ?주 ?(?:월요일 ?)?까지/.test(text) ? 'until mon' : ''
  const [length, count = '', unit = '', span = '', after = ''] = koreanLength.exec(text) ?? []
  const counted = koreanCounts.indexOf(count)
  if (length !== undefined) {
    const long = koreanSpans[span] ?? `${counted === -1 ? count : counted}${koreanUnits[unit]}`
    if (!/[뒤후]/.test(after)) return `for ${long}`
    // A start has no time of its own.
    return isStop ? `at ${long}` : ''
  }
  const [found, day, half = '', hours, minutes, isHalf, spelled, lead] = koreanClock.exec(text) ?? []
  if (found === undefined) return koreanPart(text, isStop)
  const minute = isHalf === undefined ? (minutes ?? spelled ?? '0') : '30'
  const time = `${String(hourOf(Number(hours), half)).padStart(2, '0')}:${minute.padStart(2, '0')}`
  return [lead === '까지' ? 'until' : 'at', ...(day === undefined ? [] : [koreanDays[day]]), time].join(' ')
}

/** 밤 is from the evening until the small hours: 밤 11시 is 23:00, 밤 12시 is midnight, and 밤 1시 is 01:00. */
function hourOf(hour: number, half: string): number {
  if (hour === 12) return /오전|새벽|밤/.test(half) ? 24 : hour
  const isAfternoon = half === '밤' ? hour > 5 : /오후|저녁/.test(half)
  return isAfternoon && hour < 12 ? hour + 12 : hour
}

function koreanPart(text: string, isStop: boolean): string {
  const [found, part = '저녁'] = koreanTonight.exec(text) ?? []
  if (found === undefined) return koreanDayEnd(text)
  if (isStop) return `at ${koreanParts[part]}`
  return part === '밤' ? 'until 09:00' : ''
}

/** "내일까지": a day ends as it does in English, where "today" is until midnight. */
function koreanDayEnd(text: string): string {
  const [, day, part] = koreanEnd.exec(text) ?? []
  if (day === undefined && part === undefined) return ''
  const clock = part === undefined ? (day === '오늘' ? ['24:00'] : []) : [koreanParts[part]]
  return ['until', ...(day === undefined ? [] : [koreanDays[day]]), ...clock].join(' ')
}

const lately = /(?:\b(?:last|past|this) |지난 ?|이번 ?|최근 ?)(?:(\d{1,3}) ?)?(day|week|month|일|주|달)/i
const dayCounts: Readonly<Record<string, number>> = { week: 7, 주: 7, month: 30, 달: 30 }

/** How far back a sentence looks, as lines have it: "last week" is "since=7d"; '' if it does not say. */
export function sinceIn(text: string): string {
  const [found, count = '1', unit = ''] = lately.exec(text) ?? []
  return found === undefined ? '' : `since=${Number(count) * (dayCounts[unit.toLowerCase()] ?? 1)}d`
}
