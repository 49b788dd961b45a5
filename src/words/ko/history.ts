/** History, savings, logs, events and the calendar. Requests and events are counted with 건, lines with 줄, and things with 개. */
export const historyInKorean = {
  'history.title':
    '{about, select, one {{on} } all {전체 } other {}}{what, select, stopped {중지 } started {시작 } other {}}기록{back, select, some {, 최근 {since}} today {, 오늘} yesterday {, 어제} from {, 어제부터} other {}}, 최신순',
  'history.none':
    '{back, select, some {최근 {since} 동안 } today {오늘 } yesterday {어제 } from {어제부터 } other {}}{about, select, one {{on}의 } all {전체 } other {}}{page, select, older {더 이전 } other {}}{what, select, stopped {중지 } started {시작 } other {}}기록이 없습니다.{what, select, stopped { Lamplighter를 거치지 않고 중지한 것은 나오지 않습니다.} started { Lamplighter를 거치지 않고 시작한 것은 나오지 않습니다.} other { 아직 대기 중이거나 Lamplighter를 거치지 않고 변경한 것은 나오지 않습니다.}}',
  'history.isNow':
    '{name}은(는) 지금 {state, select, running {실행 중} failed {실패 상태} starting {시작 중} stopping {중지 중} changing {변경 중} other {중지된 상태}}입니다.',
  'history.elsewhere':
    'Lamplighter를 거치지 않고 {what, select, stopped {중지} other {시작}}되었거나 기록이 남지 않을 만큼 오래되었습니다.',
  'history.person':
    '“{word}”은(는) 엔드포인트가 아니라 사람의 이름입니다. 그 사람이 요청한 기록은 여기서 볼 수 있습니다:',
  'history.last':
    '{name}은(는) {at}({ago} 전)에 마지막으로 {what, select, stopped {중지} restarted {재시작} other {시작}}되었습니다({via, select, schedule {{by} 님의 스케줄} idle {{by} 님의 유휴 중지} once {{by} 님의 일회성 요청} program {{by} 님 이름으로 {program}이(가) 제안} other {{by} 님의 요청}}).{because, select, yes { 사유: “{reason}”.} no { 사유는 없습니다.} other {}}',
  'history.noRule': '{name}을(를) 시작하는 스케줄이 없습니다.',
  'history.runsOn': '지금 {name}을(를) 중지하는 스케줄이 없습니다.',
  'history.backSince':
    '{at}부터 다시 {what, select, stopped {실행 중입니다} other {중지되어 있습니다}}({via, select, schedule {{by} 님의 스케줄} idle {{by} 님의 유휴 중지 설정} program {{by} 님 이름으로 {program}이(가) 제안} other {{by} 님의 요청}}).',
  'history.endedOutside':
    '지금은 다시 {what, select, stopped {실행 중입니다} other {중지되어 있습니다}}(Lamplighter를 거치지 않고 변경).',
  'history.story': '“{what}” 타임라인',

  'history.unscheduled': '{line}: {count, plural, =0 {규칙 하나} other {{rules}}}',
  'history.details': '자세히',
  'history.newer': '더 최근 기록',
  'history.older': '더 이전 기록',
  'history.exportNone': '내보낼 기록이 없습니다.',
  'history.export': '요청 {requests, plural, other {#건}}, 이벤트 {events, plural, other {#건}}',
  'history.exportFiles': 'JSON Lines와 CSV 파일을 DM으로 보내 드립니다.',

  'logs.all':
    '{name} {replicas, plural, =1 {레플리카 {replica}} other {레플리카 #개}}의 로그 {count, plural, =0 {없음} other {마지막 #줄}}',
  'logs.found':
    '{name} {replicas, plural, =1 {레플리카 {replica}} other {레플리카 #개}}의 최근 로그에서 “{search}” 검색: {count, plural, =0 {결과 없음} other {#줄}}',
  'logs.fileTold':
    '{how, select, cut {긴 줄과 한도를 넘는 내용은 생략했습니다.} other {전체 로그는 DM으로 보내 드렸습니다.}}',
  'logs.zone': '시각은 플랫폼이 기록한 그대로입니다(시간대 알 수 없음).',
  'logs.none':
    '{name}의 로그 파일이 없습니다. 로그 파일은 레플리카가 실행되는 동안과 종료된 뒤 한동안만 플랫폼에 남습니다.',
  'logs.noReplica': '{name}에 레플리카 “{replica}”의 로그 파일이 없습니다. 있는 파일은 다음과 같습니다.',
  'logs.several': '{name}에 이름이 “{file}”인 로그 파일이 여러 개입니다. 하나를 선택해 주세요.',
  'logs.noFile': '{name}에 로그 파일 “{file}”이(가) 없거나 이미 삭제되었습니다. 있는 파일은 다음과 같습니다.',
  'logs.unread': '레플리카 {replica}의 로그를 읽을 수 없습니다: {why}',
  'logs.gone': '로그 파일 {file}이(가) 없어졌습니다. 로그 파일은 레플리카가 종료된 뒤 한동안만 플랫폼에 남습니다.',
  'logs.ended': '레플리카 {replica}은(는) 종료되었습니다. 종료 전 마지막 로그입니다.',
  'logs.cutOff':
    '{file}은(는) {most, number}줄 이상입니다. 플랫폼이 그 뒤를 보여 주지 않아 최근 로그를 읽을 수 없습니다.',
  'logs.more':
    '나머지 {count, plural, other {레플리카 #개}}는 읽지 않았습니다. 읽으려면 이름을 추가해 주세요: {example}',
  'history.refused':
    '{about, select, one {{on}의 } other {}}거부된 요청{back, select, some {, 최근 {since}} today {, 오늘} yesterday {, 어제} from {, 어제부터} other {}}, 최신순',
  'history.refusedNone':
    '{back, select, some {최근 {since} 동안 } today {오늘 } yesterday {어제 } from {어제부터 } other {}}{about, select, one {{on}의 } other {}}{page, select, older {더 이전의 } other {}}거부된 요청이 없습니다.',
  'history.endedAt':
    '{at} ({ago} 전){status, select, none {} attention { · 주의 필요} refused { · 거부됨} declined { · 거절됨} skipped { · 건너뜀} expired { · 만료됨} cancelled { · 취소됨} other { · {status}}}',
  'history.noReason': '사유 없음',
  'history.reasons': '{asked, select, none {} other {요청 사유: “{asked}” · }}답변 사유: “{answered}”',
  'history.by':
    '{how, select, requested {요청:} cancelled {취소:} bypassed {긴급 실행:} skipped {건너뜀:} declined {거절:} confirmed {확인:} other {승인:}}',
  'history.at': '{at}',
  'history.what':
    '{event, select, awaiting {요청함} asked {요청함} announced {예고함} running {시작됨} approved {승인} agreed {확인} refused_answer {답변이 인정되지 않음} fell_back {대체 승인자에게 알림} reminded {다시 알림} broke_the_glass {승인 없이 긴급 실행} fell_due {예정 시각이 됨} busy {사용 중} late {늦음} untold {알림을 전하지 못함} told_late {늦게 알림} sent {호출 보냄} answered {플랫폼 응답} unknown {불분명한 응답} unreached {플랫폼에 연결할 수 없음} not_seen_yet {아직 반영되지 않음} reached {단계 완료} applied {적용됨} unread {읽을 수 없음} set_back {단계 실패} undo {되돌리기} succeeded {성공} failed {실패} attention {주의 필요} refused {거부됨} declined {거절됨} expired {만료됨} cancelled {취소됨} other {{what}}}',
  'history.votes': '{needed, number}건 중 {count, number}건',
  'history.strangers': '역할이 없는 사람의 요청 {count, plural, =1 {#건} other {#건, 마지막 요청}}:',
  'history.event': '{what}: {detail}',
  'history.foot': '{ago} 전 요청{on, select, project {} other { · {name}}} · 요청 {id}',
  'history.proposed': '{name}의 제안, 토큰 소유자:',
  'history.itself': '프로그램이 직접 요청, 토큰 소유자:',
  'history.byRule': '{via, select, idle {유휴 중지:} other {스케줄:}}',

  'events.hold': '{until}까지 {name}의 자동화가 일시 중지됩니다.',
  'events.holdEnded': '{name}의 자동화 일시 중지가 끝났습니다.',
  'events.lockdownEnded': '변경 차단이 해제되었습니다.',

  'events.stand':
    '{name}: {sent, select, never {아직 보낸 이벤트 없음} other {{ago} 전에 마지막으로 전송}}, {waiting, plural, =0 {대기 없음} other {#건{more, select, yes { 이상} other {}} 대기}}.',
  'events.failing': '마지막 전송에 실패했습니다. {why} {wait} 뒤에 다시 시도합니다.',
  'events.lost': '{ago} 전에 보내지 못하고 포기한 이벤트가 있습니다. {why}',
  'events.status': '수신 서버가 응답 코드 {status}을(를) 보냈습니다.',
  'events.slow': '수신 서버가 {seconds}초 안에 응답하지 않았습니다.',
  'events.unreachable': '수신 서버에 연결할 수 없습니다.',
  'events.private': '사설 주소인데 {setting} 설정이 없습니다.',
  'events.noSecret':
    '꺼져 있습니다. {variable}이(가) 설정되어 있지 않습니다. 설정한 뒤 Lamplighter를 다시 시작해 주세요.',
  'events.newer': '새 버전에서만 읽을 수 있는 내용입니다.',
  'events.old': '하루가 지난 이벤트입니다.',
  'events.behind': '감사 로그가 {most, number}건 넘게 밀려 있었습니다.',

  'length.hours': '{count, number}시간',
  'savings.hours': '{hours, plural, =0 {없음} other {레플리카 기준 #시간}}',
  'savings.sum': '{money}({hours, plural, other {레플리카 기준 #시간}})',
  'savings.partly': '{money}({hours, plural, other {레플리카 기준 #시간}}, 그중 {unpriced, number}시간은 가격 없음)',
  'savings.title':
    '{days, plural, =-3 {이번 달} =-2 {이번 주} =-1 {지난달} =0 {지난주} =1 {오늘} other {최근 #일간}} 스케줄과 유휴 중지로 절감: {least, select, yes {최소 } other {}}{sum}',
  'savings.running': '현재 실행 비용: 시간당 {money}. 지금까지 쓴 금액은 기록하지 않습니다.',
  'savings.bySchedule': '스케줄: {sum}',
  'savings.byIdle': '유휴 중지: {sum}',
  'savings.byPerson': '수동 중지(합계에 미포함): {sum}',
  'savings.stops':
    '중지 {count, plural, other {#회}}{regrets, plural, =0 {} other {, 그중 #회는 너무 일찍 중지함: 한 시간 안에 사람이 다시 시작함(그때까지의 절감은 포함)}}',
  'savings.none': '이 기간에 중지한 엔드포인트가 없습니다.',
  'savings.own': '{who, select, both {자동: {rules} · 수동: {people}} rules {자동: {rules}} other {수동: {people}}}',
  'savings.periods': '{by, select, day {일별} other {주별(월요일 시작)}} 절감한 레플리카 시간(수동 중지 포함)',
  'savings.period': '{label}: {hours}',
  'savings.date': '{date}{by, select, week { 주} other {}}',
  'savings.chart': '{by, select, day {일별} other {주별}} 절감한 레플리카 시간',
  'savings.across': '{by, select, day {날짜} other {주(월요일 시작)}}',
  'savings.unit': '레플리카 시간',
  'savings.cause': '{cause, select, schedule {스케줄} idle {유휴 중지} other {수동 중지}}',
  'savings.moreEndpoints': '그 밖에 엔드포인트 {count, plural, other {#개}}',
  'savings.unpriced': '가격 없음: {hours}',
  'savings.unpricedWhy':
    '시간으로만 계산합니다. 가격은 lamplighter.yaml이나 플랫폼의 가격 목록에서 가져옵니다. 예약 GPU는 중지해도 비용이 같아 가격이 없습니다.',
  'savings.unseen': '중지 {count, plural, other {#회}}는 실제 절감이 더 클 수 있습니다',
  'savings.unseenWhy': '다음 시작이 Lamplighter를 거치지 않아 확실히 중지되어 있던 시간만 계산했습니다.',
  'savings.counted': '계산 방법: 중지 시간 × 레플리카 수, 중지마다 최대 7일, 10분 단위로 내림.',
  'savings.span':
    '{field}에는 7d, 4w 같은 기간이나 this week, last week, this month, last month를 입력해 주세요(입력값: “{word}”).',
  'savings.most': '절감 내역은 최대 90일 전까지 볼 수 있습니다.',

  'prices.none':
    '설정된 가격이 없어 절감 내역을 시간으로만 보여 줍니다. 가격은 lamplighter.yaml의 prices에 설정해 주세요.',
  'prices.known': '가격 {own}개는 정책 파일에서, {listed}개는 플랫폼의 인스턴스 유형 목록에서 가져옵니다.',
} as const
