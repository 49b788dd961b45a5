/** Until when a decision holds, what comes next, and why. */
const decided =
  '{end, select, open {} other {{until}까지 }}{state, select, up {{next, select, none {실행 중입니다} other {실행되며}}} down {{next, select, none {중지되어 있습니다} other {중지되어 있으며}}} upSoon {실행 중이어야 {next, select, none {합니다} other {하며}}} downSoon {중지되어 있어야 {next, select, none {합니다} other {하며}}} other {그대로 {next, select, none {둡니다} other {두며}}}}{by, select, weekly {(스케줄: {rule})} once {(일회성 요청)} freeze {(모든 자동화 일시 중지)} protected {(보호됨)} skip {({skips} 중지 건너뜀)} console {(Lamplighter를 거치지 않고 변경)} hand {(요청으로 변경)} hold {({who, select, none {다른 사람이} other {{who} 님이}} 자동화를 일시 중지)} other {}}{next, select, none {} up {, 이후 시작됩니다} down {, 이후 중지됩니다} protected {, 이후 그대로 둡니다(보호됨)} other {, 이후 그대로 둡니다}}.'

/** Schedules: answers, notices and lists. */
export const schedulesInKorean = {
  'schedule.which': '어느 엔드포인트인가요?',
  'schedule.guarded':
    '정책 파일의 {entry}에서 {name}을(를) 보호하므로 자동으로 중지할 수 없습니다. 보호는 그 파일에서만 해제할 수 있습니다.',
  'schedule.lapsed':
    '{name}은(는) 아직 실행 중입니다. {why, select, paused {자동화가 일시 중지되어} other {스케줄을 확인하지 못해}} {at}의 중지를 하루 동안 실행하지 못했으므로 이제 취소됩니다. 직접 중지하거나 중지를 다시 예약해 주세요.',
  'schedule.protected': '{name}은(는) 보호되어 있어 자동으로 중지할 수 없습니다. 먼저 보호를 해제해 주세요.',
  'schedule.noChannel': '먼저 알림을 보낼 채널이 필요합니다. lamplighter.yaml에 operations_channel을 설정해 주세요.',
  'schedule.autoscaled':
    '{name}은(는) 오토스케일링되어 플랫폼이 시작하고 중지합니다. 그래도 스케줄을 쓰려면 <c>autoscaled=yes</c>를 추가해 주세요.',
  'schedule.nothingNow': '지금 {name}에 바뀌는 것은 없습니다.',
  'schedule.stopsAlready': '{name}은(는) 이미 {at}에 중지될 예정입니다.',
  'schedule.known': '{name}에 이미 있는 규칙입니다.',
  'schedule.twice': '이미 있는 규칙입니다: “{rule}”.',
  'schedule.clash':
    '“{one}”과(와) “{other}”이(가) 충돌합니다. 둘 다 해당하면 실행이 우선하므로 {window}에 중지되지 않습니다. “{up}” 외에는 어차피 중지되어 있습니다. 둘 중 하나를 줄이거나 삭제해 주세요.',
  'schedule.up': '그 밖의 시간에는 {name}을(를) 중지합니다.',
  'schedule.upWith': '{others}과(와) 함께 적용되며, 그 밖의 시간에는 {name}을(를) 중지합니다.',
  'schedule.orUp': '시작도 자동으로 하려면 실행할 시간을 정해 주세요: <c>/endpoint {line}</c>',
  'schedule.downWith': '그 밖의 시간에는 다른 규칙을 따릅니다: {others}.',
  'schedule.stopsSoon': '{name}은(는) 지금 실행 중이며, {notice} 전에 알린 뒤 중지됩니다.',
  'schedule.waits':
    '{until, select, none {누군가 자동화를 재개한 뒤부터} other {{until}부터}} 적용되며, 그때까지 {name}은(는) 그대로 둡니다. 미리보기에는 일시 중지가 반영되지 않습니다.',
  'schedule.startsNow': '{name}은(는) 지금 중지되어 있으며 바로 시작됩니다.',

  'once.stopsAt': '중지하기 전에 미리 알립니다.',
  'once.already': '그 전에 스케줄에 따라 중지됩니다.',
  'once.staysOn': '스케줄에 따라 {until, select, none {그 이후에도} other {{until}까지}} 계속 실행됩니다.',
  'once.paused':
    '자동화가 일시 중지되어 있어 {until, select, none {재개하지 않으면 중지되지 않습니다} other {그 시각이 아니라 일시 중지가 끝나는 {until}에 중지됩니다}}.',
  'once.skips': '{at}에 {by, select, none {예정된} other {{by} 님이 예정한}} 중지는 건너뜁니다.',
  'once.scale': '레플리카를 바꾸려면 <c>/endpoint scale {name} {replicas}</c>을(를) 입력해 주세요.',
  'once.noEnd': '종료 시각 없이 시작하려면 <c>/endpoint start {name}</c>을(를) 입력해 주세요.',
  'once.pausedNow':
    '자동화가 {until, select, none {} other {{until}까지 }}일시 중지되어 있어, 나중에 {name}을(를) 자동으로 중지할 수 없습니다. 종료 시각 없이 시작하려면 <c>/endpoint start {name}</c>을(를) 입력해 주세요.',

  'unschedule.gone': '{name}에 그 규칙이 더 이상 없습니다.',
  'unschedule.none': '{name}에 따로 정한 스케줄이 없습니다.',
  'unschedule.noneFor': '{name}에 따로 정한 {direction, select, up {실행} other {중지}} 규칙이 없습니다.',
  'unschedule.byTeam':
    '정책 파일에 있는 스케줄입니다: {rules}. lamplighter.yaml에서 바꾸거나 <c>/endpoint keep</c>으로 한동안 일시 중지할 수 있습니다.',
  'unschedule.removed': '삭제한 규칙: {rules}.',
  'unschedule.again': '다시 추가: {rule}',
  'unschedule.several': '규칙을 여러 개 삭제했습니다. 하나씩 다시 추가해 주세요.',
  'unschedule.badRule':
    'rule=에는 규칙 ID를 입력해야 합니다(입력값: “{word}”). 양식에서는 규칙을 이름으로 고를 수 있습니다.',
  'rule.notRemembered': '무엇을 바꿨는지 기록이 남아 있지 않습니다.',
  'rule.takenOver': '규칙의 소유자만 바뀌었습니다. 같은 명령으로 다시 넘겨받을 수 있습니다.',

  'keep.length': '기간(예: <c>2h</c>), 오늘 밤, 종료 시각 중 하나를 선택해 주세요.',
  'keep.off': '{name}에 스케줄과 유휴 중지가 다시 적용됩니다.',
  'keep.offFree': '스케줄도 유휴 중지도 없어 Lamplighter가 시작하거나 중지하지 않습니다.',
  'keep.notKept': '{name}의 자동화는 일시 중지되어 있지 않습니다.',
  'keep.most': '정책상 자동화는 최대 {most}까지 일시 중지할 수 있습니다(bounds.keep).',
  'keep.stopped': '{name}은(는) 이미 중지된 상태였습니다.',
  'keep.stopWaits': '{by} 님이 요청한 “{line}”이(가) 답변을 기다리고 있었습니다. 일시 중지해도 거절되지 않습니다.',
  'keep.scaled': '플랫폼의 오토스케일링은 계속됩니다.',
  'keep.stopStays': '그 뒤 {at}에 예정된 중지는 건너뛰지 않습니다.',
  'keep.cutShort': '다른 사람이 {until}까지 일시 중지해 두었습니다.',
  'keep.again': '<c>{line}</c>으로(로) 다시 일시 중지할 수 있습니다.',

  'rule.weekly': '스케줄: {rule}{from, select, policy {(정책 파일)} other {}}.',
  'rule.byRequest': '일회성 요청입니다.',
  'rule.byHold': '그때까지 자동화가 일시 중지되어 있었습니다.',
  'rule.once': '{at}에 한 번 {want, select, up {시작} other {중지}}{end, select, open {} other {({until}까지)}}',
  'rule.runs': '{until}까지 실행(일회성 요청)',
  'rule.skip': '{at} 중지 건너뜀: {until}까지 그대로 둠',
  'rule.changedElsewhere': 'Lamplighter를 거치지 않고 변경됨: {until}까지 그대로 둠',
  'rule.changedHere': '요청으로 변경됨: {until}까지 그대로 둠',
  'rule.paused': '{until}까지 자동화 일시 중지',

  'decided.here': decided,
  'decided.overdue': '{at}까지 실행하기로 했지만 아직 실행 중입니다.',
  'decided.of': `{name}은(는) ${decided}`,

  'preview.day': '{date}  {what}{holiday, select, yes { (공휴일)} other {}}',
  'preview.more': '              {what}',
  'preview.all': '{want, select, up {종일 실행} down {종일 중지} other {그대로 둠}}',
  'preview.from': '{from}부터 {want, select, up {실행} down {중지} other {그대로 둠}}',
  'preview.until': '{to}까지 {want, select, up {실행} down {중지} other {그대로 둠}}',
  'preview.span': '{from}~{to} {want, select, up {실행} down {중지} other {그대로 둠}}',

  'rule.missedStart':
    '{at}({late} 전)에 {name}을(를) 시작하지 못했고, 지금은 시작하지 않습니다.{end, select, open {} other { {until}까지 실행될 예정이었습니다.}}',
  'rule.missedStarts': '스케줄대로 시작하지 못한 엔드포인트 {count, number}개는 지금 시작하지 않습니다.',
  'rule.missedOne': '{name}: {at}({late} 전){end, select, open {} other {, {until}까지 실행될 예정이었음}}',
  'rule.missedHead': '{from}부터 지금까지 스케줄을 확인하지 못해 다음 작업이 누락되었습니다.',
  'rule.missed': '{name}은(는) {at}부터 {until}까지 {want, select, down {중지되어} other {실행되고}} 있어야 했습니다.',
  'rule.more': '그 밖에 {count, number}개.',
  'rule.moved':
    '{by, select, once {일회성 요청에 따라} other {스케줄상}} {want, select, down {중지되어} other {실행되고}} 있어야 할 {name}이(가) {where, select, here {요청으로} other {Lamplighter를 거치지 않고}} {state, select, up {시작} other {중지}}되었습니다.',
  'rule.leftUntil': '{until}까지 그대로 두겠습니다.',
  'rule.return': '스케줄대로 되돌리기',
  'rule.tomorrow': '아침까지 그대로 두기',
  'rule.movedAgain': '그 뒤 다시 변경되었습니다.',
  'rule.pausedBy': '{by} 님이 {until}까지 자동화를 일시 중지했습니다.',
  'rule.leftOver': '{until}까지 그대로 두었습니다.',
  'rule.returned': '{by} 님이 자동화를 재개했습니다.',
  'rule.asWanted': '다시 규칙에 맞는 상태가 되어 이제 규칙을 따릅니다.',
  'rule.skipped': '{at}에 예정된 {name} 중지를 건너뛰었습니다. {until}까지 그대로 두었습니다.',
  'rule.gone': '플랫폼에 {name}이(가) 더 이상 없어 규칙을 일시 중지했습니다. “{why}”',
  'rule.ownerUnread': '{owner} 님이 아직 운영자인지 Slack에서 확인할 수 없어 다음 규칙을 일시 중지했습니다.',
  'rule.ownerGone': '{owner} 님이 더 이상 운영자가 아니어서 다음 규칙을 일시 중지했습니다.',
  'rule.of': '{name}: {rule}',
  'rule.takeOver': '{name} 넘겨받기',
  'rule.gaveUp':
    '⚠️ {tries, number}번 시도했지만 {name}이(가) {rule, select, once {일회성 요청} other {스케줄}}과 달리 아직 {want, select, up {중지되어} other {실행되고}} 있습니다.{rule, select, once {} other { 다음 예정 시각에 다시 시도합니다.}}{by, select, none {} other { {by}}}',
  'rule.failed':
    '{want, select, up {시작} other {중지}}{part, select, yes { 실패{again, select, none {} other {, {again} 후 다시 {want, select, up {시도} other {예고}}}}} other {에 실패했습니다.{again, select, none {} other { {again} 후 다시 {want, select, up {시도합니다} other {예고합니다}}.}}}}',
  'rule.waits': '“{line}”이(가) 끝나지 않아 {name}의 예약된 {want, select, down {중지를} other {시작을}} 미뤘습니다.',

  'group.due': '엔드포인트 {count, plural, other {#개}}가 {due}에 {want, select, start {시작} other {중지}}됩니다.',
  'group.doing': '엔드포인트 {count, number}개 {want, select, start {시작} other {중지}} 중…',
  'group.done':
    '{left, select, all {이번에 {want, select, start {시작} other {중지}}한 엔드포인트가 없습니다} none {엔드포인트 {count, number}개를 {want, select, start {시작} other {중지}}했습니다} other {엔드포인트 {count, number}개 중 {done, number}개를 {want, select, start {시작} other {중지}}했습니다}}.',
  'group.stage':
    '{stage, select, due {{want, select, start {시작} other {중지}} 예정} doing {{want, select, start {시작} other {중지}} 중} done {{want, select, start {시작} other {중지}}됨} kept {{until, select, open {건너뜀} other {{until}까지 계속 실행}}} again {연기됨} left {이번 {want, select, start {시작} other {중지}}에서 제외} other {{want, select, start {시작} other {중지}}되지 않음}}: {names}{because, select, no {} other { · {why}}}',
  'group.names': '{names}{because, select, no {} other { · {why}}}',
  'group.busy': '{name}(사용 중, {due}까지 대기)',
  'group.person': '{name}({by})',
  'group.priced': '{name}(+{cost})',
  'group.pricedHourly': '{name}(시간당 +{cost})',
  'group.until': '{which, select, all {} other {{names}, }}{name}: {until}까지',
  'group.keep': '계속 실행할 엔드포인트…',
  'group.rules': '스케줄에 따라',

  'skip.frozen': '자동화가 일시 중지되어 {name}을(를) 그대로 두었습니다.',
  'skip.changed': '{name}의 규칙상 이제 필요하지 않습니다.',
  'skip.paused':
    '{name}은(는) {until}까지 {kept, select, yes {계속 실행합니다} other {그대로 둡니다}}.{next, select, stop { 중지하기 전에 다시 알려 드립니다.} idle { 그 뒤에는 유휴 시간을 처음부터 다시 셉니다.} other {}}',

  'time.unknown': '알 수 없는 시각 형식입니다: “{text}”.',
  'time.tooMuch': '“{text}”에는 시각이 둘 이상 있습니다.',
  'time.empty': '“{text}”은(는) 길이가 0입니다. 0보다 긴 기간을 입력해 주세요.',
  'time.dayFirst': '날짜를 먼저 입력해 주세요: {text}.',
  'time.noClock': '올바른 시각이 아닙니다: “{text}”.',
  'time.noDay': '“{text}”은(는) 날짜가 아닙니다.',
  'time.past': '이미 지난 시각입니다: {text}. 지금 이후의 시각을 입력해 주세요.',
  'time.tooLong': '{text}은(는) 1년이 넘습니다. 더 짧은 기간을 입력해 주세요.',
  'time.tooFar': '{text}은(는) 1년 넘게 남았습니다. 1년 안의 시각을 입력해 주세요.',
  'time.forms':
    '19:00, tomorrow 09:00, fri 18:00, 2026-12-24 18:00 같은 시각이나 4h, 90m, 2d 같은 기간을 입력해 주세요.',
  'window.noDays': '요일이 빠졌습니다.',
  'window.whichDays': '어느 요일인가요? 예: {example}.',
  'window.night': '밤은 몇 시부터 몇 시까지인가요? 예: {example}',
  'window.surplus':
    '“{before}” 뒤에 “{more}”은(는) 쓸 수 없습니다. weekdays 09:00-19:00처럼 요일과 시간을 입력해 주세요.',
  'window.gap': '“{text}”에 요일이 빠졌습니다.',
  'window.noDay': '“{text}”은(는) 요일이 아닙니다.',
  'window.days':
    '요일은 weekdays, weekends, daily, mon, mon-fri, mon,wed,fri처럼, 시간은 그 뒤에 09:00-19:00처럼 입력해 주세요.',
  'window.overlap': '“{text}”의 시간이 서로 겹칩니다.',
  'window.noSpan': '“{text}”은(는) 09:00-19:00 같은 시간 범위가 아닙니다.',
  'window.noClock':
    '올바른 시각이 아닙니다: “{text}”. 00:00에서 23:59 사이로 09:00-19:00처럼 입력하고, 하루의 끝은 24:00으로 입력해 주세요.',
  'window.empty': '{text}은(는) 길이가 0입니다. 하루 종일이면 시간을 빼 주세요.',
  'zone.ambiguous': '{name} 같은 약어 대신 지역을 입력해 주세요(예: {places}).',
  'zone.offset':
    '{typed}은(는) 서머타임이 반영되지 않는 오프셋입니다. Asia/Seoul처럼 지역을 입력하거나 UTC를 입력해 주세요.',
  'zone.unknown': '{typed}은(는) 시간대가 아닙니다.',
  'zone.forms': '시간대는 Asia/Seoul, Europe/Berlin, UTC처럼 입력합니다.',
  'zone.place': '{typed} 시간대는 {place}처럼 입력해 주세요.',
  'rule.late': '{length} 늦었습니다.',
} as const
