/** How lines are read, and what help, whoami and doctor show. */
export const commandsInKorean = {
  'field.textTooLong': '{field}은(는) 최대 {most}자까지 입력할 수 있습니다.',
  'field.choice': '{field}에는 {of}만 입력할 수 있습니다(입력값: “{word}”).',
  'field.number': '{field}은(는) {low}에서 {high} 사이의 정수여야 합니다(입력값: “{word}”).',
  'field.noReplicas': '레플리카를 0개로 하려면 stop을 사용해 주세요.',
  'field.path': '{field}은(는) /로 시작하는 경로여야 합니다(입력값: “{word}”).',
  'field.secretsEmpty':
    '{field}을(를) 모두 지우려면 {clear}을(를) 입력해 주세요. 새로 설정하려면 /endpoint patch로 양식을 열어 주세요.',
  'field.secretsTyped':
    '{field}은(는) 값이 보이지 않도록 양식에서 설정합니다. {key}을(를) 빼고 /endpoint patch를 열어 주세요.',
  'field.endpointEmpty': '어느 엔드포인트인가요? 따옴표 안에 이름이 없습니다.',
  'field.endpointTooLong': '엔드포인트 이름은 최대 200자입니다.',
  'field.requestEmpty': '어느 요청인가요? 대상 엔드포인트나 요청 ID를 입력해 주세요.',
  'field.requestTooLong': '요청은 엔드포인트나 ID로 지정해 주세요.',
  'field.person': '{field}은(는) @를 입력하면 나오는 목록에서 골라 주세요(입력값: “{word}”).',
  'field.personOrMe': '{field}은(는) me로 입력하거나, @를 입력하면 나오는 목록에서 골라 주세요(입력값: “{word}”).',
  'field.time':
    '{field}에는 19:00, tomorrow 09:00, fri 18:00, 2026-12-24 같은 시각이나 4h 같은 기간을 입력해 주세요(입력값: “{word}”).',
  'field.length': '{field}은(는) {examples}처럼 입력해 주세요(입력값: “{word}”).',
  'field.historyOf': '같은 이름의 엔드포인트 기록을 보려면 ID로 지정해 주세요.',
  'field.historySince': '기록은 최대 90일 전까지 볼 수 있습니다.',

  'help.title': '명령: 앞에 /endpoint를 붙여 주세요',
  'help.unknown': '“{verb}” 명령은 없습니다.{near, select, none {} other { 혹시 {near}인가요?}}',
  'help.hidden':
    '{count, plural, other {다른 역할이 필요한 명령이 #개 더 있습니다}}{names, select, none {} other {: {names}}}.',
  'help.about':
    '명령의 자세한 설명은 /endpoint help stop처럼 입력하면 볼 수 있습니다. 시작, 중지, 재시작, 목록, 상태, 로그, 승인, 취소처럼 한국어로 입력해도 됩니다.',
  'group.endpoints': '엔드포인트',
  'group.automation': '일정과 자동화',
  'group.requests': '요청과 승인',
  'group.others': '기록, 절감, 점검',

  'menu.title': '무엇을 할까요?',
  'menu.waiting': '{count, plural, =0 {답변을 기다리는 요청이 없습니다.} other {답변을 기다리는 요청이 #건 있습니다}}',
  'menu.moreWaiting': '{count}건이 더 있습니다. 홈 탭에서 볼 수 있습니다.',
  'menu.choose': '엔드포인트를 선택하면 할 수 있는 작업이 나옵니다.',
  'menu.endpoint': '엔드포인트 선택',
  'menu.more': '더 보기…',
  'menu.back': '메뉴로 돌아가기',
  'menu.open': '메뉴',
  'menu.close': '닫기',
  'menu.typed': '명령을 직접 입력해도 됩니다. 목록은 /endpoint help에 있습니다.',
  'menu.taken': '접수했습니다. 결과는 DM으로 보내 드립니다.',
  'menu.asTyped': '입력한 그대로 사용(목록에 없음)',

  'whoami.none': '여기에서 맡은 역할이 없습니다',
  'whoami.role':
    '프로젝트 {project}에서 {role, select, viewer {viewer} operator {operator} approver {approver} other {admin}} 역할입니다',
  'whoami.by': '역할 부여 근거:',
  'whoami.details':
    '조직 {organization} · 플랫폼 프로젝트 {project} · API 키 {key, select, none {알 수 없음} other {{key}}}({via}{user, select, none {} other {, 만든 사람 {user}}}){policy, select, unsaid {} none { · 정책 파일 없음} other { · 정책 {policy}}}',
  'whoami.waiting': '{count, plural, =0 {답변을 기다리는 요청이 없습니다} other {답변을 기다리는 요청이 #건 있습니다}}',
  'whoami.standsIn': '대신 승인할 수 있는 사람:',
  'whoami.standIn': '{until}까지 나를 대신해 승인할 수 있는 사람:',
  'whoami.full': '아직 맡은 역할이 없습니다. 관리자가 lamplighter.yaml의 roles에 {as}을(를) 추가할 수 있습니다.',
  'whoami.guest':
    '맡은 역할이 없습니다. 게스트는 관리자가 lamplighter.yaml의 roles에 viewer: {as}으로(로) 지정한 경우에 조회만 할 수 있습니다.',
  'whoami.outside':
    '맡은 역할이 없습니다. Slack에 따르면 이 워크스페이스의 멤버가 아닙니다. 다른 워크스페이스 소속이거나 앱이거나 비활성화된 계정입니다. 역할은 멤버만 받을 수 있으니 멤버에게 문의해 주세요.',

  'doctor.title': '{bad, plural, =0 {모든 점검을 통과했습니다} other {문제 #건}}',
  'doctor.well': '✅ {name}',
  'doctor.bad': '❌ {name}',
} as const
