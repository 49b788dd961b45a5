/** Answers and messages that any request may have. */
export const requestsInKorean = {
  'message.project': '{project} 프로젝트',
  'message.repeated': '재전송',
  'message.repeatedWhy': '재전송: 첫 메시지가 전달되지 않았을 수 있습니다.',
  'storage.away': '저장소에 연결할 수 없습니다. 잠시 후 다시 시도해 주세요.',
  'storage.slow': '저장소 응답이 너무 느립니다. 잠시 후 다시 시도해 주세요.',
  'storage.full': '저장소가 가득 찼습니다. Redis 운영자가 메모리를 늘려야 합니다.',
  'storage.readonly':
    '저장소가 읽기 전용 상태입니다. 잠시 후 다시 시도하고, 계속되면 관리자가 Redis를 확인해야 합니다.',
  'storage.changing': '저장소가 시작 중이거나 장애 조치 중입니다. 잠시 후 다시 시도해 주세요.',
  'storage.disk': '저장소가 디스크에 쓸 수 없습니다. 관리자가 Redis를 확인해야 합니다.',
  'storage.locked': '저장소 로그인이 거부되었습니다. 관리자가 REDIS_URL의 비밀번호를 확인해야 합니다.',
  'storage.refused': '저장소가 요청을 거부했습니다. 이유는 로그에 있습니다.',

  'line.tooLong': '명령이 너무 깁니다. 최대 {most, number}자까지 입력할 수 있습니다. 아무 작업도 하지 않았습니다.',
  'line.missing': '{what}이(가) 빠졌습니다. 사용법: <c>{usage}</c>',
  'line.surplus': '여기에 “{word}”은(는) 쓸 수 없습니다. 사용법: <c>{usage}</c>',
  'line.twice': '“{word}”을(를) 두 번 입력했습니다. 한 번만 입력해 주세요.',
  'line.unclosed': '닫는 따옴표가 없습니다. 아무 작업도 하지 않았습니다.',
  'line.secret':
    '비밀번호나 토큰이 들어 있는 것 같아 저장하지도 실행하지도 않았습니다. 시크릿은 환경 변수에 넣어 주세요. 양식에서 암호화됩니다.',

  'endpoint.offer':
    '{name} {verb, select, Status {상태} Replicas {레플리카} Logs {로그} Start {시작} Stop {중지} Restart {재시작} Scale {레플리카 수 조정} Patch {설정 변경} Schedules {스케줄 보기} Schedule {스케줄 만들기} Unschedule {스케줄 삭제} Keep {자동화 일시 중지} Idle {유휴 중지} Protect {보호} Unprotect {보호 해제} other {{verb}}}',
  'endpoint.near': '“{name}”이라(라)는 엔드포인트가 없습니다.',
  'endpoint.taken': '“{typed}”이라(라)는 엔드포인트가 없어 {name}을(를) 보여 드립니다.',
  'endpoint.whatWith': '{name}을(를) 어떻게 할까요?',
  'endpoint.each': '한 번에 하나씩만 변경할 수 있습니다. 어느 엔드포인트인가요?',
  'endpoint.person': '사람은 엔드포인트가 아닙니다. <c>/endpoint list</c>로 전체 엔드포인트를 볼 수 있습니다.',
  'endpoint.unknown': '“{name}”이라(라)는 엔드포인트가 없습니다. <c>/endpoint list</c>로 전체 목록을 볼 수 있습니다.',
  'endpoint.ambiguous': '이름이 “{name}”인 엔드포인트가 여러 개입니다. ID로 선택해 주세요.',
  'endpoint.renamed':
    '이 엔드포인트의 현재 이름은 {name}이라(라)서 아무 작업도 하지 않았습니다. 이 이름이나 ID를 사용해 주세요.',
  'endpoint.unread': '플랫폼에서 정보를 읽을 수 없어 아무 작업도 하지 않았습니다. {why}',

  'role.lacking':
    '{project} 프로젝트에서 {role, select, viewer {조회자(viewer)} operator {운영자(operator)} approver {승인자(approver)} other {관리자(admin)}} 역할이 필요합니다. 아무 작업도 하지 않았습니다. {admins, select, none {관리자} other {{admins}}}에게 lamplighter.yaml의 roles에 추가해 달라고 요청해 주세요.',
  'role.groupsUnread':
    '지금은 Slack에서 정책의 사용자 그룹을 조회할 수 없어 그룹으로 받은 역할은 인정되지 않습니다. <c>/endpoint doctor</c>를 확인해 주세요.',
  'role.noPolicy':
    '아직 정책 파일이 없어 조회만 할 수 있습니다. lamplighter.yaml(LAMPLIGHTER_CONFIG)을 만들고 운영자(operator) 역할을 지정해 주세요. 아무 작업도 하지 않았습니다.',
  'role.outsider':
    'Lamplighter는 이 워크스페이스의 멤버와 정책에 지정된 게스트만 사용할 수 있습니다. 아무 작업도 하지 않았습니다.',
  'role.guest': '게스트는 정책에 지정된 경우에 한해 조회만 할 수 있습니다. 아무 작업도 하지 않았습니다.',
  'role.none':
    '부여된 역할이 없습니다. 관리자가 lamplighter.yaml의 roles에 추가할 수 있습니다. 게스트는 지정된 경우에 한해 조회만 할 수 있습니다.',
  'role.inNone':
    '이 작업에 필요한 {role, select, viewer {조회자(viewer)} operator {운영자(operator)} approver {승인자(approver)} other {관리자(admin)}} 역할이 {projects}에 없습니다.',
  'role.elsewhere':
    '이 채널에서만 운영자(operator)입니다. 자동 시작과 중지에는 운영 채널의 운영자 역할이 필요하므로 아무 작업도 하지 않았습니다. 운영 채널에서 요청하거나, 관리자에게 lamplighter.yaml의 roles에 추가해 달라고 요청해 주세요.',
  'role.unchecked': 'Slack에서 역할을 확인할 수 없어 아무 작업도 하지 않았습니다. 잠시 후 다시 시도해 주세요.',

  'project.none': '이 채널에 연결된 프로젝트가 없습니다. lamplighter.yaml에서 프로젝트에 채널을 추가해 주세요.',
  'project.which': '어느 프로젝트인가요? 프로젝트 전용 채널에서는 묻지 않습니다.',

  'request.taken': '{name}에 이미 진행 중인 요청이 있습니다: {line}. 아무 작업도 하지 않았습니다.',
  'request.askedBy': '{by, select, you {} other {{by} 님이 }}이미 요청했습니다: “{line}”. 아무 작업도 하지 않았습니다.',
  'request.takenBy':
    '{name}에 이미 진행 중인 요청이 있습니다: {line}({by, select, you {직접 한 요청} other {{by} 님의 요청}}). 아무 작업도 하지 않았습니다.',
  'request.asked': '같은 요청이 이미 답변을 기다리고 있습니다. 아무 작업도 하지 않았습니다.',
  'request.changing':
    '엔드포인트가 계속 바뀌어 {asks}번 시도한 뒤 중단했습니다. 아무 작업도 하지 않았습니다. 나중에 다시 시도해 주세요.',
  'request.tooLate': '승인 후 5분 안에 시작하지 못해 아무 작업도 하지 않았습니다. 다시 시도해 주세요.',
  'request.notHere':
    '확인이나 승인이 필요한데 봇이 이 채널에 없습니다. /invite @Lamplighter를 실행한 뒤 다시 시도해 주세요. 아무 작업도 하지 않았습니다.',
  'request.noChannel':
    '확인이나 승인이 필요한데 물어볼 채널이 없습니다. lamplighter.yaml에 operations_channel을 설정하거나 채널에서 실행해 주세요. 아무 작업도 하지 않았습니다.',
  'request.tooMuch.person': '명령을 너무 많이 보내 아무 작업도 하지 않았습니다. 잠시 후 다시 시도해 주세요.',
  'request.tooMuch.hour':
    '이 프로그램이 한 시간 동안 너무 많이 제안해 아무 작업도 하지 않았습니다. 제안은 모두 사람이 읽으니 나중에 다시 시도해 주세요.',
  'request.tooMuch.project': '이 프로젝트에 명령이 너무 많아 아무 작업도 하지 않았습니다. 잠시 후 다시 시도해 주세요.',
  'request.tooMuch.storage':
    '저장소가 거의 가득 차서 지금은 조회에 답하지 않습니다. Redis 운영자에게 알려 주세요. 가득 차기 전까지 사용량은 <c>/endpoint doctor</c>에서 볼 수 있습니다.',
  'request.notStored': '아무 작업도 하지 않았습니다. {why}',
  'line.startsNow':
    '나중에 한 번 시작하는 예약은 할 수 없고 지금만 시작할 수 있습니다. 정기적으로 시작하려면 <c>/endpoint schedule</c>을 사용해 주세요.',
  'line.noTime': '시간을 읽지 못했습니다. 보내기 전에 양식을 확인해 주세요.',
  'request.more':
    '목록에 없는 요청이 {count, plural, other {#건}} 더 있습니다. 엔드포인트 이름을 적어 주세요: <c>/endpoint {example}</c>',
  'request.forgotten': '이 요청의 기록이 더 이상 없어 아무 작업도 하지 않았습니다. 다시 시도해 주세요.',
  'request.perhapsStored':
    '저장되었는지 확실하지 않습니다. 1분 안에 카드가 나타나지 않으면 아무 작업도 하지 않은 것입니다.',
  'request.pressPerhapsStored': '저장되었는지 확실하지 않습니다. 변화가 없으면 1분 후 다시 눌러 주세요.',
  'request.notTaken': '30분 동안 요청을 처리한 워커가 없어 아무 작업도 하지 않았습니다. 다시 시도해 주세요.',
  'request.noWorker': '저장했지만 실행 중인 워커가 없습니다. 워커가 시작되면 처리됩니다.',
  'request.lockedDown': '모든 변경이 차단되었습니다. {why} {allowed} 관리자가 <c>/endpoint thaw</c>로 해제합니다.',
  'request.stillAllowed': '계속 사용할 수 있는 명령: protect, freeze, unschedule, back.',
  'request.formHeld':
    '이 엔드포인트에 진행 중인 다른 요청이 있습니다: {deed}({by} 님의 요청{until, select, none {} other {, 늦어도 {until}까지 대기}}). {form, select, opened {그 요청이 끝난 뒤에 이 양식을 제출할 수 있습니다.} other {그 요청을 취소하거나 끝날 때까지 기다린 뒤 다시 제출해 주세요. 입력한 내용은 그대로 있습니다.}}',
  'request.unsettled':
    '보호, 스케줄 또는 일시 중지가 계속 바뀌어 아무 작업도 하지 않았습니다. 나중에 다시 시도해 주세요.',
  'request.several': '“{word}”에 진행 중인 요청이 여러 건 있습니다. 하나를 선택해 주세요.',
  'request.notYours': '본인은 답할 수 없는 요청입니다.',
  'request.theirs': '답변을 기다리는 요청입니다.',
  'request.noneWaits':
    '“{word}”에 해당하는 대기 중인 요청이 없습니다.{others, select, yes { 다른 요청이 대기 중입니다.} other {}}',
  'request.own':
    '{deed, select, cancel {{count, plural, =0 {진행 중인 내 요청이 없습니다.} other {어떤 요청을 취소할까요?}}} other {{count, plural, =0 {되돌릴 수 있는 내 변경이 없습니다.} other {어떤 변경을 되돌릴까요?}}}}',
  'request.over': '이미 끝난 요청입니다. {ending}',
  'request.lost': '요청 후에 데이터가 유실되어 결과를 알 수 없습니다. 엔드포인트를 확인한 뒤 다시 시도해 주세요.',
  'request.broke': '엔드포인트가 아니라 Lamplighter에서 문제가 생겼습니다. 자세한 내용은 이 요청의 로그에 있습니다.',
  'request.brokeBack':
    '엔드포인트가 아니라 Lamplighter에서 문제가 생겨, {name}을(를) 이전 상태로 되돌리지 못하고 포기했습니다.',
  'request.replyLost': '플랫폼의 응답은 받지 못했지만 상태를 읽어 확인했습니다.',

  'secret.inForm': '{field}은(는) 값이 보이지 않도록 양식에서 설정합니다. 아무 작업도 하지 않았습니다.',
  'secret.needsKey': '시크릿에는 LAMPLIGHTER_KEY가 필요합니다. openssl rand -base64 32로 만들 수 있습니다.',
  'secret.twice': '이 양식은 처음 입력한 값으로 이미 제출되고 있습니다.',
  'secret.notStored': '값을 암호화해 저장하지 못해 아무 작업도 하지 않았습니다. 잠시 후 다시 시도해 주세요.',
  'secret.gone': '암호화된 값이 없어져 아무것도 바꾸지 않았습니다. 값을 다시 입력해 주세요.',
  'file.unsent':
    '{name} 파일을 보내지 못했습니다. Slack 앱에 files:write와 im:write 권한이 필요합니다. 빠진 권한은 <c>/endpoint doctor</c>에서 확인한 뒤 다시 시도해 주세요.',
  'line.example': '예: <c>/endpoint {example}</c>',
  'line.unknownVerb': '“{verb}” 명령은 없습니다.',
  'line.beyond': 'Lamplighter에서는 엔드포인트에 “{verb}” 작업을 할 수 없습니다.',
  'line.allVerbs': '전체 명령은 <c>/endpoint help</c>로 볼 수 있습니다.',
  'line.typed': '<c>/endpoint {line}</c>',
  'line.near': '{of, select, line {이 명령을 찾으셨나요? {near}} other {혹시 {near}을(를) 찾으셨나요?}}',
  'explain.does': '모의 실행: {deed}.',
  'history.tried': '{verb}: {deed}',
  'request.listed': '<b>{what}</b>',
  'request.ago': '{ago} 전',
  'request.cancels':
    '{on, select, none {} other {{name} }}{verb, select, start {시작} stop {중지} restart {재시작} scale {레플리카 수 조정} patch {설정 변경} schedule {스케줄 저장} unschedule {스케줄 삭제} keep {자동화 일시 중지} resume {자동화 재개} idle {유휴 중지 설정} protect {보호} unprotect {보호 해제} freeze {모든 자동화 일시 중지} thaw {모든 자동화 재개} away {위임} back {위임 종료} other {{verb}}} 요청 취소',
  'request.answer': '{verb}: {about}',

  'end.asked': '예정대로 {done}',
  'end.against':
    '{until}까지 {wants, select, up {실행} other {중지}} 상태를 유지합니다. 그 뒤에는 다시 규칙을 따릅니다.',
  'end.noStop': '{until}에 예정되어 있던 중지는 취소됩니다.',
  'end.done': '{done}.',
  'end.done.late': '{late} 늦게 {done}.',
  'end.serving': '{done}. 서빙 중입니다.',
  'end.serving.late': '{late} 늦게 {done}. 서빙 중입니다.',
  'end.failed': '{deed}에 실패했습니다.',
  'end.stepFailed': '{deed}: “{step}” 단계에서 실패했습니다.',
  'request.unanswered':
    '{length} 동안 {votes, select, none {답변이 없어} other {승인을 {needed}건 중 {votes}건만 받아}} 만료되었습니다. 변경된 내용은 없습니다.',
  'request.unknown': '(다른 버전에서 작성한 내용)',
  'request.unchanged': '변경된 내용은 없습니다.',
} as const
