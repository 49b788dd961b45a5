/** What doctor checks, what it has seen, and what to do. */
export const doctorInKorean = {
  'check.scopes': 'Slack 권한',
  'check.channel': '이 채널',
  'check.key': '플랫폼 키',
  'check.storage': '저장소',
  'check.redis': 'Redis',
  'check.clock': '시계',
  'check.requests': '요청',
  'check.memory': '메모리',
  'check.scale': '레플리카 수 조정',
  'check.prices': '가격',
  'check.rules': '규칙',
  'check.lockdown': '변경 중단',
  'check.freeze': '자동화',
  'check.audit': '감사 기록',
  'check.queue': '큐',
  'check.versions': '버전',
  'check.secrets': '비밀 값',
  'check.policy': '정책 파일',
  'check.groups': '사용자 그룹',
  'check.approvers': '승인자',

  'scopes.unknown': '토큰은 유효하지만 어떤 권한이 있는지 Slack이 알려 주지 않습니다.',
  'scopes.all': '매니페스트의 권한이 모두 부여되어 있습니다.',
  'scopes.missing': '빠진 권한: {missing}. 앱에 추가한 뒤 다시 설치해 주세요.',
  'scopes.one':
    '{scope}({of, select, chat_write {메시지를 올릴 수 없음} commands {/endpoint를 쓸 수 없음} files_write {로그 파일과 내보내기를 보낼 수 없음} users_read {누구인지 알 수 없어 모두 거부됨} usergroups_read {정책의 사용자 그룹이 비어 있는 것으로 처리됨} channels_read {정책의 채널을 조회할 수 없음} groups_read {정책의 비공개 채널을 조회할 수 없음} channels_history {응답이 유실된 메시지가 두 번 올라갈 수 있음} groups_history {비공개 채널에서도 마찬가지} other {DM을 열 수 없음}})',
  'scopes.token': 'Slack이 봇 토큰을 거부했습니다: {why}.',
  'channel.direct': 'DM입니다. 질문은 운영 채널로 보냅니다.',
  'channel.archived': '보관된 채널이라 질문할 수 없습니다.',
  'channel.notIn': '봇이 이 채널에 없어 답변이 요청한 사람에게만 보입니다. /invite로 초대해 주세요.',
  'channel.in': '봇이 이 채널에 있습니다.',
  'channel.unseen': '봇이 이 채널을 볼 수 없습니다({why}). /invite로 초대해 주세요.',
  'groups.known': '정책에 있는 그룹을 Slack에서 모두 확인했습니다.',
  'groups.off':
    '{at}의 group:{id}은(는) Slack에서 비활성화되어 있어 아무도 멤버로 인정되지 않습니다. 활성화하거나 다른 그룹을 지정해 주세요.',
  'groups.unknown':
    '{at}의 group:{id}은(는) 이 워크스페이스의 사용자 그룹이 아니어서 아무도 멤버로 인정되지 않습니다. Slack에서 S로 시작하는 그룹 ID를 복사해 주세요.',
  'groups.scope':
    '{places}: 사용자 그룹이 지정되어 있지만 앱에 usergroups:read 권한이 없어 아무도 멤버로 인정되지 않습니다. 권한을 추가하고 앱을 다시 설치해 주세요.',
  'groups.unread': '{places}: 지금은 사용자 그룹을 확인할 수 없습니다({why}). 나중에 다시 시도해 주세요.',
  'groups.changed': '바뀐 정책 파일에 다음 문제가 있습니다.',
  'approvers.all': '승인자로 지정된 사람은 모두 정식 멤버입니다.',
  'approvers.unable':
    '{who} 님은 승인할 수 없습니다. 게스트, 봇, 비활성화된 계정이거나, 다른 워크스페이스 소속이거나, Slack에 없는 사용자입니다. lamplighter.yaml에 다른 사람을 지정해 주세요.',
  'approvers.unknown': '지금은 {who} 님이 승인할 수 있는지 Slack에서 확인할 수 없습니다. 나중에 다시 시도해 주세요.',

  'storage.unwritable': '저장소에 쓸 수 없습니다: {why}',
  'storage.writable': '저장소에 쓸 수 있습니다.',
  'redis.forgets': 'append-only가 아니라서 장애가 나면 요청이 유실될 수 있습니다. appendonly yes로 설정해 주세요.',
  'redis.evicts': '키가 삭제되어 요청이 없어질 수 있습니다. maxmemory-policy를 noeviction으로 설정해 주세요.',
  'redis.hidden':
    'Redis 설정을 확인할 수 없습니다. append-only로 설정되어 있고 maxmemory-policy가 noeviction인지 확인해 주세요.',
  'redis.well': 'append-only, noeviction으로 설정되어 있습니다.',
  'clock.apart': 'Redis 시계와 {ms, number}ms 차이가 납니다.{fault, select, yes { 둘 다 NTP로 맞춰 주세요.} other {}}',
  'requests.late': '요청 {count, plural, other {#건}}이 1분 넘게 지연되고 있습니다. 워커가 충분한지 확인해 주세요.',
  'requests.none': '지연된 요청이 없습니다.',
  'scale.field': '레플리카 수를 {field}으로(로) 보냅니다.',
  'scale.other': '플랫폼이 {field}을(를) 요구했습니다. PLATFORM_SCALE_FIELD={field}으로(로) 설정해 주세요.',
  'rules.late': '3분 동안 규칙을 확인하지 못했습니다. 워커가 실행 중인지, 플랫폼이 응답하는지 확인해 주세요.',
  'rules.checked': '{ago} 전에 마지막으로 확인했습니다.',
  'audit.unwritable':
    'LAMPLIGHTER_AUDIT_DIR에 쓸 수 없습니다({why}). 공간을 확보하고 워커에 쓰기 권한을 주세요. 그때까지 체크포인트는 채널에만 올라가고, 항목은 옮기지 않습니다.',
  'audit.moved': '400일이 지난 항목은 하루에 한 번 옮깁니다.',
  'audit.kept':
    '400일이 지난 항목이 Redis에 남습니다. LAMPLIGHTER_AUDIT_DIR에 영구 디렉터리를 지정하면 워커가 하루에 한 번 옮깁니다. npm start -- audit prune으로 바로 옮길 수도 있습니다.',
  'queue.depth': '작업 {count, plural, other {#개}}가 대기 중입니다.',
  'versions.left':
    '프로세스 {all, plural, other {#개}} 중 {some, number}개가 일부 데이터를 처리하지 못해 더 새로운 버전에 맡깁니다: {what} 모든 프로세스를 최신 버전으로 맞춰 주세요.',
  'versions.well': '모든 프로세스가 저장된 내용을 읽을 수 있습니다.',
  'secrets.noKey': '암호화할 키가 없습니다. LAMPLIGHTER_KEY를 설정해 주세요(openssl rand -base64 32).',
  'secrets.key': '암호화할 키가 있습니다.',
  'policyFile.bad': '파일에 오류가 있어 이전 파일이 계속 적용됩니다. {mistakes}',
  'policyFile.same': '프로세스 {count, plural, =1 {1개가} other {#개가 모두}} 버전 {version}을(를) 사용합니다.',
  'policyFile.differ':
    '프로세스마다 파일이 다릅니다: {counts}.{fresh, select, yes { 하나가 방금 바뀌었습니다.} other { 모두 같은 파일을 쓰게 해 주세요.}}',
  'policyFile.count': '버전 {version} {count, number}개',
} as const
