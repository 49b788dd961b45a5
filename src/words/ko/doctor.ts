/** Doctor's checks, results and remedies; mistakes in the policy file. */
export const doctorInKorean = {
  'check.scopes': 'Slack 권한',
  'check.channel': '이 채널',
  'check.key': 'API 키',
  'check.storage': '저장소',
  'check.redis': 'Redis',
  'check.clock': '시계',
  'check.requests': '요청',
  'check.memory': '메모리',
  'check.scale': '레플리카 수 조정',
  'check.prices': '가격',
  'check.processes': '프로세스',
  'check.rules': '스케줄',
  'check.lockdown': '변경 차단',
  'check.freeze': '자동화',
  'check.audit': '감사 로그',
  'check.queue': '큐',
  'check.versions': '버전',
  'check.secrets': '시크릿',
  'check.policy': '정책 파일',
  'check.groups': '사용자 그룹',
  'check.approvers': '승인자',
  'check.events': '이벤트',

  'scopes.unknown': '토큰은 유효하지만 어떤 권한이 있는지 Slack이 알려 주지 않습니다.',
  'scopes.all': '매니페스트의 권한이 모두 부여되어 있습니다.',
  'scopes.missing': '빠진 권한: {missing}. 앱에 추가한 뒤 다시 설치해 주세요.',
  'scopes.one':
    '{scope}({of, select, chat_write {메시지를 올릴 수 없음} commands {/endpoint를 쓸 수 없음} files_write {로그 파일과 내보내기를 보낼 수 없음} users_read {누구인지 알 수 없어 모두 거부됨} usergroups_read {정책의 사용자 그룹이 비어 있는 것으로 처리됨} channels_read {정책의 채널을 조회할 수 없음} groups_read {정책의 비공개 채널을 조회할 수 없음} channels_history {공개 채널에 같은 메시지가 두 번 올라갈 수 있음} groups_history {비공개 채널에 같은 메시지가 두 번 올라갈 수 있음} other {DM을 열 수 없음}})',
  'scopes.token': 'Slack이 봇 토큰을 거부했습니다: {why}.',
  'channel.direct': 'DM입니다. 질문은 운영 채널로 보냅니다.',
  'channel.archived': '보관된 채널이라 질문할 수 없습니다.',
  'channel.notIn': '봇이 이 채널에 없어 답변이 요청한 사람에게만 보입니다. /invite로 초대해 주세요.',
  'channel.in': '봇이 이 채널에 있습니다.',
  'channel.unseen': '봇이 이 채널을 볼 수 없습니다({why}). /invite로 초대해 주세요.',
  'groups.known': '정책에 있는 그룹을 Slack에서 모두 확인했습니다.',
  'groups.off':
    '{at}의 group:{id}은(는) Slack에서 비활성화되어 있어 비어 있는 것으로 처리됩니다. 활성화하거나 다른 그룹을 지정해 주세요.',
  'groups.unknown':
    '{at}의 group:{id}은(는) 이 워크스페이스의 사용자 그룹이 아니어서 비어 있는 것으로 처리됩니다. Slack에서 S로 시작하는 그룹 ID를 복사해 주세요.',
  'groups.scope':
    '{places}: 앱에 usergroups:read 권한이 없어 사용자 그룹이 비어 있는 것으로 처리됩니다. 권한을 추가하고 앱을 다시 설치해 주세요.',
  'groups.unread': '{places}: 지금은 사용자 그룹을 확인할 수 없습니다({why}). 나중에 다시 시도해 주세요.',
  'groups.changed': '바뀐 정책 파일에 다음 문제가 있습니다.',
  'approvers.all': '승인자로 지정된 사람은 모두 정식 멤버입니다.',
  'approvers.unable':
    '{who} 님은 승인할 수 없습니다. 승인자는 활성 상태인 이 워크스페이스의 정식 멤버여야 합니다. lamplighter.yaml에 다른 사람을 지정해 주세요.',
  'approvers.unknown': '지금은 {who} 님이 승인할 수 있는지 Slack에서 확인할 수 없습니다. 나중에 다시 시도해 주세요.',

  'storage.unwritable': '저장소에 쓸 수 없습니다: {why}',
  'storage.writable': '저장소에 쓸 수 있습니다.',
  'redis.forgets': 'append-only가 아니라서 장애가 나면 요청이 유실될 수 있습니다. appendonly yes로 설정해 주세요.',
  'redis.evicts': '키가 삭제되어 요청이 없어질 수 있습니다. maxmemory-policy를 noeviction으로 설정해 주세요.',
  'redis.hidden':
    'Redis 설정을 확인할 수 없습니다. append-only로 설정되어 있고 maxmemory-policy가 noeviction인지 확인해 주세요.',
  'redis.well': 'append-only, noeviction으로 설정되어 있습니다.',
  'clock.apart':
    '{ms, plural, =0 {Redis 시계와 일치합니다} other {Redis 시계와 {ms, number}ms 차이가 납니다}}.{fault, select, yes { 둘 다 NTP로 맞춰 주세요.} other {}}',
  'requests.late': '요청 {count, plural, other {#건}}이 1분 넘게 지연되고 있습니다. 워커가 충분한지 확인해 주세요.',
  'requests.none': '지연된 요청이 없습니다.',
  'scale.field': '레플리카 수를 {field}으로(로) 보냅니다.',
  'scale.other': '플랫폼이 {field}을(를) 요구했습니다. PLATFORM_SCALE_FIELD={field}으로(로) 설정해 주세요.',
  'rules.late': '3분 동안 스케줄을 확인하지 못했습니다. 워커가 실행 중인지, 플랫폼이 응답하는지 확인해 주세요.',
  'rules.checked': '{ago} 전에 마지막으로 확인했습니다.',
  'audit.unwritable':
    'LAMPLIGHTER_AUDIT_DIR에 쓸 수 없습니다({why}). 공간을 확보하고 워커에 쓰기 권한을 주세요. 그때까지 체크포인트는 채널에만 올라가고, 항목은 옮기지 않습니다.',
  'audit.moved':
    '400일이 지난 항목은 하루에 한 번 옮깁니다. 빠진 항목이 있는지는 “{program} audit verify”로 확인할 수 있습니다.',
  'audit.young': '400일이 지난 항목이 없습니다. 빠진 항목이 있는지는 “{program} audit verify”로 확인할 수 있습니다.',
  'audit.kept':
    '400일이 지난 항목이 Redis에 남습니다. LAMPLIGHTER_AUDIT_DIR에 영구 디렉터리를 지정하면 워커가 하루에 한 번 옮깁니다. “{program} audit prune”으로 바로 옮길 수도 있습니다. 빠진 항목이 있는지는 “audit verify”로 확인할 수 있습니다.',
  'queue.depth': '{count, plural, =0 {대기 중인 작업이 없습니다} other {작업 #개가 대기 중입니다}}.',
  'workers.none':
    '실행 중인 워커가 없어 명령이 저장된 채 대기하고 있습니다. 워커를 시작해 주세요. 종료된 워커는 로그에 이유를 남기고, 멈춘 워커는 /livez에 응답하지 않습니다.',
  'bots.none': '실행 중인 봇이 없어 Slack에 입력한 명령이 도착하지 않습니다. 봇을 시작해 주세요.',
  'processes.well': '워커와 봇이 실행 중입니다.',
  'processes.unknown': 'Redis에 쓸 수 없는 동안에는 무엇이 실행 중인지 알 수 없습니다.',
  'versions.left':
    '프로세스 {all, plural, other {#개}} 중 {some, number}개가 새 버전이 저장한 데이터를 읽지 못합니다. 자세한 내용은 해당 프로세스의 로그에 있습니다. 모든 프로세스를 최신 버전으로 맞춰 주세요.',
  'versions.well': '모든 프로세스가 저장된 데이터를 읽을 수 있습니다.',
  'secrets.noKey': '암호화 키가 없습니다. LAMPLIGHTER_KEY를 설정해 주세요(openssl rand -base64 32).',
  'secrets.key': '암호화 키가 설정되어 있습니다.',
  'secrets.open':
    'LAMPLIGHTER_KEY가 키 없이 저장된 데이터(none)를 아직 받아들이므로, Redis에 쓸 수 있는 사람은 누구나 제가 변경을 실행하게 만들 수 있습니다. 언제까지 필요한지는 설명서의 “Keys”에 있습니다.',
  'secrets.earlier':
    '이전 키 {count, plural, other {#개}}도 아직 유효합니다. 이전 키를 알고 Redis에 쓸 수 있는 사람은 누구나 제가 변경을 실행하게 만들 수 있습니다.',
  'policyFile.bad': '파일에 오류가 있어 이전 파일이 계속 적용됩니다. {mistakes}',
  'policyFile.same':
    '{count, plural, =0 {파일에 오류가 없습니다.} other {실행 중인 프로세스가 모두 버전 {version}을(를) 사용합니다.}}',
  'policyFile.differ':
    '프로세스마다 파일이 다릅니다: {counts}.{fresh, select, yes { 하나가 방금 바뀌었습니다.} other { 모두 같은 파일을 쓰게 해 주세요.}}',
  'policyFile.count': '버전 {version} 사용 {count, number}개',

  // Most follow a place: `lamplighter.yaml:9 projects[0].name` …
  'policyFile.mended': '정책 파일이 다시 유효합니다. 버전 {version}이(가) 적용됩니다.',
  'policyFile.refused': '바뀐 정책 파일이 유효하지 않아 이전 파일이 계속 적용됩니다:',
  'policyFile.gone':
    '{path} 파일이 없어졌습니다. 다시 넣어 주세요. 아무도 쓰지 못하게 하려면 Lamplighter를 중지해 주세요.',
  'policyFile.unreadable':
    '{path}을(를) 읽을 수 없습니다. 파일이 맞는지, 이 프로세스에 읽기 권한이 있는지 확인해 주세요.',
  'policyFile.restart':
    '{what, select, gone {설정에서 프로젝트 {name}이(가) 없어졌습니다.} new {설정의 프로젝트 {name}은(는) 새 프로젝트입니다.} other {설정의 변수 이름이 시작할 때와 다릅니다.}} 적용하려면 Lamplighter를 다시 시작하고, 아니면 원래대로 되돌려 주세요.',

  'policyFile.tab': '들여쓰기에 탭이 있습니다. YAML에는 공백만 쓸 수 있으니 단계마다 공백 두 칸을 넣어 주세요.',
  'policyFile.twiceKey': '키가 위에 이미 있습니다. 둘 중 하나만 남겨 주세요.',
  'policyFile.syntax': 'YAML 형식이 아닙니다({message}). 따옴표, 괄호, 콜론, 들여쓰기를 확인해 주세요.',

  'policyFile.file': '파일의',
  'policyFile.value':
    '값이 {kind, select, missing {없습니다} empty {비어 있습니다} none {빈 목록입니다} list {목록입니다} group {키 묶음입니다} other {{value}입니다}}.',
  'policyFile.hidden': '값이 올바르지 않습니다. 시크릿일 수 있어 표시하지 않습니다.',
  'policyFile.unknownKey':
    '{what, select, role {역할은 없습니다. 쓸 수 있는 역할} other {키는 없습니다. 쓸 수 있는 키}}: {known}.',

  'policyFile.like':
    '예를 들어 {example}처럼 입력해 주세요.{name, select, none {} other { 필요 없으면 {name}을(를) 빼 주세요.}}',
  'policyFile.keys':
    '그 아래에 {keys}을(를) 입력해 주세요.{name, select, none {} other { 필요 없으면 {name}을(를) 빼 주세요.}}',
  'policyFile.projects': 'projects: 아래에 프로젝트를 하나 이상 입력해 주세요.',
  'policyFile.words':
    '{words}만 쓸 수 있습니다.{because, select, destructive { 되돌릴 수 없는 변경에는 항상 확인이 필요합니다.} loosening { 안전장치를 해제하려면 항상 다른 사람의 승인이 필요합니다.} other {}}',
  'policyFile.number': '{low}에서 {high} 사이의 정수를 입력해 주세요.',
  'policyFile.length':
    '{low}에서 {high} 사이의 기간을 입력해 주세요(예: {examples}).{off, select, yes { off도 쓸 수 있습니다.} other {}}',
  'policyFile.date': '2026-12-25처럼 달력에 있는 날짜를 입력해 주세요.',
  'policyFile.projectName': '"default"처럼 영문 소문자, 숫자, 하이픈으로 1~32자를 입력해 주세요.',
  'policyFile.variable': '값이 아니라 환경 변수의 이름을 입력해 주세요(예: {example}).',
  'policyFile.channel':
    'C0123ABCD 같은 채널 ID를 입력해 주세요(Slack의 채널 세부 정보 맨 아래에 있습니다).{all, select, yes { 모든 채널은 "*"입니다.} other {}}',
  'policyFile.member':
    'everyone, user:U…, group:S…, channel:C… 중 하나를 입력해 주세요. 콜론 뒤에는 공백 없이 ID를 씁니다.',
  'policyFile.pattern': 'my-llm이나 "prod-*" 같은 이름, 또는 "tag:prod" 같은 태그를 입력해 주세요.',
  'policyFile.webhook':
    'https://hooks.example.com/lamplighter처럼 사용자, 비밀번호, #이 없는 https 주소를 입력해 주세요. http 주소는 {setting}일 때만 쓸 수 있습니다.',
  'policyFile.price': '레플리카 하나의 시간당 가격을 입력해 주세요(예: 0.75, 예약 GPU는 0).',
  'policyFile.gpus': '플랫폼의 GPU 이름과 가격을 입력해 주세요(예: {example}).',
  'policyFile.currency': 'USD처럼 통화 코드 세 글자를 입력해 주세요.',
  'policyFile.rule': '{example}처럼 up이나 down으로 시작해 주세요. 쉼표가 있는 줄은 따옴표로 묶습니다.',
  'policyFile.noZone':
    '시간대가 없습니다. {example}처럼 끝에 붙이거나 {setting}으로(로) 모든 줄에 한 번에 지정해 주세요.',

  'policyFile.nobody':
    '값이 {what, select, channel {채널입니다} other {everyone입니다}}. 승인자와 관리자는 user:U… 또는 group:S…로 지정해 주세요.',
  'policyFile.nothingSaid': '항목에 엔드포인트 설정이 없습니다.',
  'policyFile.contradicts':
    '값이 다른 값과 맞지 않습니다. {low}은(는) {least}, {high}은(는) {most}입니다. {low}을(를) 줄이거나 {high}을(를) 늘려 주세요.',
  'policyFile.sameProject': '이름 {name}이(가) 다른 프로젝트와 같습니다. 프로젝트마다 다른 이름을 지정해 주세요.',
  'policyFile.twice': '값 {value}이(가) 두 번 있습니다. 하나를 빼 주세요.',
  'policyFile.sharedChannel':
    '채널 {channel}이(가) {first}에도 있고 {second}에도 있습니다. 채널은 한 프로젝트에만 속하니 한쪽에서 빼 주세요.',
  'policyFile.tooFew':
    '{key, select, needed {값이 {needed}인데} other {목록이 짧습니다. 필요한 승인은 {needed}건인데}} {count, plural, =0 {승인할 수 있는 사람이 없습니다} other {승인할 수 있는 사람이 #명뿐입니다({people})}}. 사람이나 group:S…를 더 지정{count, plural, =0 {} other {하거나 needed: #으로(로) 변경}}해 주세요.',
  'policyFile.tooLate':
    '설정대로면 {after} 뒤에 대체 승인자가 승인할 수 있지만, 요청은 그 전에 만료됩니다({expires}). after를 줄이거나 expires를 늘려 주세요.',
  'policyFile.misnamed':
    '값이 {variable}인데, 이 변수에는 {whose, select, ours {Lamplighter의 시크릿} platform {플랫폼의 API 키} other {메트릭 키}}이(가) 들어 있습니다.',
  'policyFile.sameValue': '{variable}의 값이 {other}의 값과 같습니다.',
  'policyFile.sentTo':
    '{to, select, platform {그대로 두면 플랫폼으로 전송됩니다. PLATFORM_API_KEY처럼 플랫폼의 API 키가 든 변수를 지정해 주세요.} receiver {이벤트를 받는 쪽도 알고 있는 값입니다. EVENTS_SECRET처럼 이벤트 전용 시크릿이 든 변수를 지정해 주세요.} other {그대로 두면 모든 컨테이너로 전송됩니다. METRICS_KEY처럼 메트릭 조회 전용 키가 든 변수를 지정하거나 key_env를 빼 주세요.}}',
} as const
