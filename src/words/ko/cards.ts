/** A request's card and its questions: the endpoint's state, what is needed and why. */
export const cardsInKorean = {
  'endpoint.idNote': '이름이 비슷한 엔드포인트가 있으니 ID({id})를 확인해 주세요.',
  'endpoint.isNow':
    '{guard, select, yes {보호 중이며 } other {}}{state, select, running {실행 중입니다} failed {실패한 상태입니다} stopped {중지되어 있습니다} starting {시작 중입니다} stopping {중지 중입니다} changing {변경 중입니다} other {상태를 알 수 없습니다}}{known, select, none {{scaled, select, yes {(오토스케일링)} other {}}} some {(레플리카 {replicas, plural, other {#개}} 중 {running, number}개 실행 중{scaled, select, yes {, 오토스케일링} other {}})} other {({state, select, stopped {시작하면 } other {}}레플리카 {replicas, plural, other {#개}}{scaled, select, yes {, 오토스케일링} other {}})}}.',
  'endpoint.replicasUnread': '레플리카 정보를 읽을 수 없습니다: “{why}”',
  'policy.rule':
    '{from, select, default {기본 매트릭스, {impact} × {exposure}} other {{place}}} → {requirement}{count, plural, =0 {} other {; {entry} → 승인 #건}}',
  'policy.why':
    '이유: {impact, select, loosening {안전장치를 해제하는 변경입니다} destructive {되돌릴 수 없는 변경{exposure, select, protected {이고 엔드포인트가 보호되어 있습니다} active {이고 엔드포인트가 실행 중입니다} other {입니다}}} disruptive {{exposure, select, protected {보호된 엔드포인트입니다} active {실행 중인 엔드포인트에 영향을 주는 변경입니다} other {엔드포인트에 영향을 주는 변경입니다}}} other {정책에서 요구합니다}}{from, select, default {{count, plural, =0 {} other {({by, select, none {} other {{by} 정책에 따라 }}승인 #건 필요)}}} other {({from, select, project {이 프로젝트의} other {{from}}} 정책{count, plural, =0 {} other {, {by, select, none {} other {{by} 정책에 따라 }}승인 #건 필요}})}}.',
  'policy.tagged': '{tag} 태그',
  'policy.because': '이유: {rule}.',
  'policy.question': '질문에는 항상 승인자의 답변이 필요함',
  'policy.terminal': '터미널 로그인은 본인만 허용할 수 있음',
  'policy.unlocking': '유실된 내용을 확인한 관리자만 변경 차단을 해제할 수 있음',
  'guard.entry': '정책 파일의 {entry}에 따라 보호되고 있습니다.',
  'guard.person': '{at}부터 {by} 님이 보호 중{because, select, no {입니다.} other {: “{reason}”}}',
  'people.list': '{people}',
  'people.policyFile': '정책 파일',
  'people.everyone': '이 워크스페이스 멤버',
  'people.more': '그 외 {count, number}명',
  'people.inPlace': '{absent} 님을 대신한 {by}',
  'ask.question': '{deed}할까요?',
  'ask.approval': '승인 요청: “{question}{mark, select, yes {?} other {}}”',
  'ask.steps': '단계: {steps}.',
  'ask.step':
    '{what, select, stopped {중지} serving {시작} scaled {레플리카를 {count, number}개로 조정} restored {필요하면 레플리카를 다시 {count, number}개로 조정} other {설정 변경}}',
  'ask.confirmers':
    '{role, select, admin {관리자라면 누구나} requester {{by} 님만} other {{by} 님이나 다른 운영자가}} 확인할 수 있습니다.',
  'ask.count': '{count, plural, other {승인 #건}}이 필요합니다.',
  'ask.needs':
    '{had, select, yes {{who, select, approvers {승인자} other {{who}}}도 승인할 수 있습니다.} other {{count, plural, other {승인 #건}}이 필요합니다{who, select, approvers {} other {(승인 가능: {who})}}. 요청자는 승인할 수 없습니다.}}',
  'ask.needsNobody':
    '{count, plural, other {승인 #건}}이 필요하지만 lamplighter.yaml에 지정된 사람 중 지금 승인할 수 있는 사람이 없습니다.',
  'ask.standIn': '{until}까지 {to} 님이 {of} 님을 대신해 승인할 수 있습니다.',
  'ask.own':
    '여기에서 버튼을 눌러 바로 확인할 수 있습니다.{role, select, requester {} other { 다른 운영자도 스레드에서 확인할 수 있습니다.}}',
  'ask.costsMore': '시간당 비용이 {hour} 늘어납니다.',
  'ask.expires': '{at}에 만료됩니다.',
  'ask.expired': '만료되었습니다.',
  'ask.approve': '{press} 승인',
  'ask.decline': '거절…',
  'ask.replaced': '새 질문으로 대체되었습니다.',
  'ask.replacedBelow': '아래의 새 질문으로 대체되었습니다.',
  'ask.votes': '{by} 님이 승인했습니다.{left, plural, =0 {} other { 승인 #건이 더 필요합니다.}}',
  'ask.votesHad': '승인 {needed, number}건 중 {count, number}건({by})',
  'ask.answered':
    '{by, select, none {{how, select, confirmed {확인되었습니다} approved {승인되었습니다} cancelled {취소되었습니다} other {거절되었습니다}}} other {{by} 님이 {how, select, confirmed {확인했습니다} approved {승인했습니다} cancelled {취소했습니다} other {거절했습니다}}}}{because, select, no {.} other {: “{reason}”}}',
  'reminder.confirm': '리마인더: “{deed}” 요청이 확인을 기다리고 있습니다.',
  'reminder.approval':
    '리마인더: “{deed}” 요청에 {count, plural, other {승인 #건}}이 {more, select, yes {더 } other {}}필요합니다{who, select, none {} other {(승인 가능: {who})}}.',
  'fallback.says':
    '{deed}: {waited} 동안 결정되지 않았습니다. {others, select, none {승인할 수 있는 다른 사람이 없습니다} other {이제 다른 사람도 승인할 수 있습니다}}.',
  'fallback.now':
    '{had, select, some {{waited}이(가) 지났는데 {count, plural, other {승인 #건}}이 더 필요합니다} other {{waited} 동안 {asked, select, none {} other {{asked}의 }}답변이 없습니다}}. {others, select, none {lamplighter.yaml에 지정된 대체 승인자 중 승인할 수 있는 사람이 없습니다} other {이제 {others}도 승인할 수 있습니다}}.',
  'glass.passed': '{by} 님이 승인 없이 실행했습니다(긴급 실행): “{reason}”',
  'glass.broken': '긴급 실행: 승인 없이 {deed}. 사유: “{reason}”',
  'glass.alarm': '긴급 실행: {by} 님이 승인 없이 <b>{deed}</b>을(를) 실행했습니다. 사유: “{reason}”',
  'card.doing': '{deed}…',
  'card.reason': '{by, select, none {사유} program {프로그램의 사유} other {{by} 님의 사유}}: “{reason}”',
  'card.itself': '🤖 {by} 님 이름으로 프로그램이 직접 요청',
  'card.proposed': '🤖 {by} 님 이름으로 {name}이(가) 제안',
  'card.asker':
    '{via, select, schedule {{by} 님의 스케줄} idle {{by} 님의 유휴 중지} undo {{by} 님의 되돌리기} undoing {{by} 님의 되돌리기 요청} other {{by} 님이 요청}}',
  'card.agreed': '{by} 님이 {how, select, approved {승인} other {확인}}',
  'card.expires': '{at} 만료',
  'card.notThere': '{channel} 채널에 글을 쓸 수 없습니다. 그 채널에서 보려면 /invite @Lamplighter를 입력하세요.',
  'card.until': '{until}까지',
  'card.inThread': '→ 스레드에서 답해 주세요',
  'card.needs': '승인 {count}건 필요',
  'card.took': '{length}',
  'card.waitsUntil': '앞선 호출의 결과가 불분명합니다. 그 호출이 이번 작업을 뒤집을 수 있어 {until}까지 기다립니다',
  'card.unreached': '플랫폼 호출에 실패했습니다: “{why}” {wait} 후 다시 시도합니다',
  'card.unclear':
    '{count, plural, =1 {} other {#번 시도했지만 }}플랫폼의 응답이 불분명해 반영되었는지 확인하고 있습니다',
  'undone.declined':
    '<b>{deed}</b>: {by, select, none {거절되었습니다} other {{by} 님이 거절했습니다}}{because, select, no {.} other {: “{reason}”}}',
  'undone.skipped':
    '<b>{deed}</b>: {by, select, none {건너뛰었습니다} other {{by} 님이 건너뛰었습니다}}{because, select, no {.} other {: “{reason}”}}',
  'undone.putOff': '<b>{deed}</b>: {by} 님이 미뤘습니다.',
  'undone.again': '진행하기 전에 다시 알려 드립니다.',
  'undone.cancelled': '<b>{deed}</b>: {by, select, none {취소되었습니다} other {{by} 님이 취소했습니다}}.',
  'undone.takenOver':
    '<b>{deed}</b>: {by, select, none {다른 요청으로 대체되었습니다} other {{by} 님의 요청으로 대체되었습니다}}.',
  'undone.unawaited': '<b>{deed}</b>: 결과를 확인하지 못했습니다.',
  'undone.onHold': '{by} 님이 자동화를 일시 중지했습니다.',
  'undone.expired': '<b>{deed}</b>: 만료되었습니다.',
  'undone.unanswered':
    '<b>{deed}</b>: {length} 동안 {votes, select, none {답변이 없어} other {승인을 {needed}건 중 {votes}건만 받아}} 만료되었습니다.',
  'undone.needless': '<b>{deed}</b>: 더 이상 필요하지 않습니다.',
  'undone.refused': '<b>{deed}</b>: 거부되었습니다.',
  'end.until': '{name}을(를) 시작했습니다({until}까지 실행{cost, select, none {} other { · 약 {cost}}}).',
  'end.took': '{length} 걸림',
  'end.quote': '플랫폼: “{quote}”',
  'end.retry': '다시 시도',
  'end.again': '{name} 다시 시작',
  'notice.due': '{name}이(가) {due}에 {verb, select, start {시작} other {중지}}됩니다.',
  'notice.wasDue': '{name}은(는) {due}에 {verb, select, start {시작} other {중지}}될 예정이었습니다.',
  'notice.busy':
    '아직 사용 중({busy})이라 {verb, select, start {시작} other {중지}}을(를) 미뤘습니다. {due}에 {verb, select, start {시작} other {중지}}합니다.',
  'notice.kept':
    '{name}을(를) {verb, select, start {중지된 상태로} other {실행 중인 상태로}} 두었습니다.{until, select, open {} idle { 유휴 시간을 처음부터 다시 세고, 중지하기 전에 다시 알려 드립니다.} other { 자동화 일시 중지: {until}까지.}}',
  'notice.skipped':
    '{at}에 예정된 {verb, select, start {시작} other {중지}}을(를) 건너뛰어 {name}을(를) {verb, select, start {중지된 상태로 둡니다} other {계속 실행합니다}}.',
  'choice.skip': '이번만 건너뛰기',
  'choice.keep': '{length} 더 실행',
  'choice.keepTonight': '{when, select, morning {아침까지} day {내일까지} other {오늘 밤}} 계속 실행',
  'choice.until': '{name}: {until}까지',
  'patch.setting':
    '{setting, select, container_port {포트} container_health_check_path {헬스 체크 경로} container_health_check_timeout {헬스 체크 제한 시간} health_check_timeout {시작 제한 시간} container_metric_path {메트릭 경로} container_start_command {시작 명령} other {환경 변수}} {how, select, set {{value}} other {없음}}',
  'patch.removesAll': '환경 변수 모두 삭제, 되돌릴 수 없음',
  'patch.unknown': '{name}의 현재 설정은 알 수 없습니다. 플랫폼은 설정을 변경할 때만 알려 줍니다.',
  'patch.before': '이전: {settings}.',
  'answer.goTo': '요청 보기',
  'answer.showHere': '채널에 공유',
} as const
