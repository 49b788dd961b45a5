/** Programs: their tokens, their permissions, and the answers they get. */
export const programsInKorean = {
  'program.peopleOnly': '{verb}은(는) 사람만 Slack에서 사용할 수 있습니다. 프로그램은 제안하고 결정은 사람이 합니다.',
  'program.role':
    '{name}에는 {verb}에 필요한 역할이 없습니다. 프로그램의 역할은 요청하는 사람의 역할을 넘을 수 없고 최대 운영자(operator)입니다.',
  'program.revoked': '토큰 “{name}”은(는) 폐기되었습니다. 소유자가 /endpoint token new로 새로 만들 수 있습니다.',
  'program.expired': '토큰 “{name}”은(는) {at}에 만료되었습니다. 소유자가 /endpoint token new로 새로 만들 수 있습니다.',
  'program.only': '토큰 “{name}”으로(로)는 {only}만 사용할 수 있습니다.',
  'program.on': '토큰 “{name}”은(는) {on}에 해당하는 엔드포인트에만 사용할 수 있습니다.',
  'program.wholeProject':
    '{verb} 명령은 프로젝트 전체에 적용됩니다. 토큰 “{name}”은(는) {on}에 해당하는 엔드포인트에만 사용할 수 있습니다.',
  'program.cancelOwn': '프로그램은 {name}으로(로) 직접 제안한 요청만 취소할 수 있습니다.',
  'program.rule': '프로그램이 제안했으므로 사람이 확인해야 함',
  'program.oneMore': '워크플로를 만든 사람이 승인자일 수 있으므로 승인이 한 번 더 필요합니다.',
  'program.tooFew':
    '워크플로에서 이 작업을 하려면 승인이 {needed, number}건 필요하지만 {count, plural, =0 {승인할 수 있는 사람이 없습니다} other {승인할 수 있는 사람이 #명뿐입니다}}. 관리자가 lamplighter.yaml에 승인자를 더 지정할 수 있습니다.',
  'workflow.notAllowed':
    '정책 파일에서 워크플로가 이 사람의 이름으로 제안하도록 허용하지 않았습니다. 관리자가 정책 파일의 workflows에 추가할 수 있습니다.',
  'workflow.noRole':
    '이 단계에 선택한 사람에게 부여된 역할이 없습니다. 운영자(operator) 이상의 역할이 있는 이 워크스페이스의 정식 멤버를 선택해 주세요.',
  'workflow.noPerson':
    '이 단계의 요청자를 선택해 주세요. 워크플로를 사용한 사람처럼 이 워크스페이스의 멤버여야 합니다.',
  'workflow.noProject': '이 단계의 프로젝트를 정책 파일에 있는 이름으로 입력해 주세요.',
  'program.badToken':
    '유효하지 않은 토큰입니다. 폐기되었거나 만료되었을 수 있습니다. Slack에서 /endpoint token new로 새로 만들어 주세요.',
  'program.calendarOnly': '캘린더 전용 토큰입니다. Slack에서 /endpoint token new로 토큰을 따로 만들어 주세요.',
  'program.noToken':
    '토큰을 “Authorization: Bearer lamp_…”로 보내 주세요. Slack에서 /endpoint token new로 만들 수 있습니다.',
  'program.personGone': '이 토큰의 소유자는 여기서 더 이상 Lamplighter를 사용할 수 없습니다.',
  'program.personUnchecked': '이 토큰의 소유자를 Slack에서 확인하지 못했습니다. 잠시 후 다시 시도해 주세요.',
  'program.tooMany': '{name}의 제안 {count}건이 답변을 기다리고 있습니다. 답변을 받은 뒤 다시 제안해 주세요.',
  'program.queryOnly': '{verb}은(는) 변경하는 명령입니다. 조회 대신 제안으로 보내 주세요.',
  'program.operationOnly': '{verb}은(는) 조회하는 명령입니다. 제안 대신 조회로 보내 주세요.',
  'program.reasonMissing': '사유를 입력해 주세요. 결정하는 사람이 사유를 읽습니다.',
  'program.twoReasons': '명령에 적은 사유와 reason 필드의 사유가 다릅니다. 하나만 입력해 주세요.',
  'program.otherLine':
    '이 Idempotency-Key는 이미 {what, select, reason {다른 사유로} other {다른 명령에}} 사용되었습니다. 제안마다 새 키를 사용해 주세요.',
  'program.keyMissing': '제안마다 Idempotency-Key를 보내 주세요. 그래야 재시도해도 중복으로 제안되지 않습니다.',
  'program.badKey': 'Idempotency-Key는 공백 없는 ASCII 문자 1~100자여야 합니다.',
  'program.noRequest': '요청 {id}을(를) 찾을 수 없거나 볼 권한이 없습니다.',
  'program.problem':
    '{type, select, line {읽을 수 없는 명령} other_kind {명령 종류 오류} not_allowed {허용되지 않음} too_much {진행 중인 요청 초과} too_often {명령 초과} other_line {이미 사용된 키} storage {저장소 사용 불가} locked {잠금} no_page {없는 주소} bad_method {잘못된 메서드} bad_content_type {잘못된 Content-Type} bad_signature {유효하지 않은 서명} bad_body {읽을 수 없는 본문} no_key {키 없음} bad_key {유효하지 않은 키} no_request {없는 요청} unchecked {확인하지 못한 사용자} person_gone {권한 없는 사용자} no_token {토큰 없음} bad_token {유효하지 않은 토큰} no_login {로그인 거부} login_declined {로그인 거절} no_person {사용자 없음} no_project {모호한 프로젝트} too_many_calls {호출 초과} other {내부 오류}}',
  'program.noPage': '{path} 경로가 없습니다. API 설명은 /v1/openapi.json에 있습니다.',
  'program.badMethod': '여기서는 {method} 메서드를 사용할 수 없습니다. {allowed} 메서드를 사용해 주세요.',
  'program.badBody':
    '{long, select, yes {본문이 너무 큽니다. {most}KiB 이내로 보내 주세요.} other {line과 reason이 있는 JSON 객체를 보내 주세요.}}',
  'program.badField':
    '{field, select, line {“line”은 1자에서 {line, number}자까지의 텍스트여야 합니다.} reason {“reason”은 {reason}자 이내의 텍스트여야 합니다.} wait {“wait”은 0에서 {wait}까지의 정수(초)여야 합니다.} other {“{field}” 필드는 없습니다. 쓸 수 있는 필드는 line, reason, wait입니다.}}',
  'program.badContentType': '제안은 Content-Type: application/json으로 보내 주세요.',
  'program.busy':
    '{within, select, minute {지난 1분 동안} other {한꺼번에}} 너무 많이 호출했습니다. {wait} 뒤에 다시 시도해 주세요.',
  'program.away': '저장소가 응답하지 않았습니다. 같은 요청을 다시 보내 주세요. 키가 있었다면 같은 키를 사용해 주세요.',
  'program.fault': '내부 오류가 발생했습니다. 원인은 Lamplighter 로그에 있습니다.',
  'program.form': '사람만 사용할 수 있는 양식이 필요합니다.',
  'program.projects': '이 토큰은 다른 프로젝트의 토큰입니다.',
  'program.over': '이미 제안했고 종료된 요청이라 새로 제안하지 않았습니다. 다시 제안하려면 key를 지정해 주세요.',
  'program.notAgain': '사람이 다시 요청하지 않는 한 다시 제안하지 말아 주세요.',
  'program.mend': '명령을 고쳐서 다시 보내 주세요.',
  'program.noPerson': 'Slack에서 누구를 위한 요청인지 알려 주지 않아 조회하거나 제안할 수 없습니다.',
  'program.noProject':
    '프로젝트가 여러 개이고 모든 채널에 해당하는 프로젝트가 없습니다. 해당 프로젝트의 채널에서 /endpoint를 사용해 주세요.',
  'program.badSignature': '앱의 Signing Secret으로 서명되지 않았거나 너무 오래된 요청입니다.',
  'program.unreachable':
    '{address}에서 Lamplighter API가 응답하지 않습니다. LAMPLIGHTER_API_URL이 올바른지 확인해 주세요.',
  'program.state':
    '{status, select, received {접수했습니다. 어떤 확인이 필요한지 살펴보고 있습니다.} awaiting {Slack에서 사람의 답변을 기다리고 있습니다.} running {처리하고 있습니다.} other {끝났습니다.}}',
  'program.asks': '{deed}.',
  'program.zone': '시간대가 없는 시각은 {zone} 기준입니다.',

  'token.badOnly': '명령은 start,stop처럼 쉼표로 구분해 입력해 주세요(입력값: “{word}”).',
  'token.badOn': '엔드포인트는 tag:ci,my-*처럼 이름이나 태그를 쉼표로 구분해 입력해 주세요(입력값: “{word}”).',
  'token.noCommand':
    '프로그램은 “{word}”을(를) 사용할 수 없습니다.{near, select, none { start,stop처럼 프로그램이 사용할 수 있는 명령을 입력해 주세요.} other { {near}을(를) 찾으셨나요?}}',
  'token.beyondRole':
    '{verb} 명령에는 운영자(operator) 토큰이 필요합니다. 운영자 역할을 선택하거나 {verb} 명령을 빼 주세요.',
  'token.calendarAlone': '캘린더용 토큰은 다른 명령 없이 따로 만들어 주세요.',
  'token.unmatched': '아직 {on}에 해당하는 엔드포인트가 없습니다.',
  'token.revokeAlone': '폐기할 때는 토큰 이름만 입력합니다. 다른 사람의 토큰이면 소유자도 입력합니다.',
  'token.newIsYours': '새 토큰은 본인 것만 만들 수 있습니다. 소유자를 빼 주세요.',
  'token.owner': '{by} 님의 토큰입니다.',
  'token.whose':
    '토큰 “{name}”을(를) 가진 사람이 여러 명입니다: {by}. “of @ana”처럼 누구의 토큰을 폐기할지 덧붙여 주세요.',
  'token.unnamed': '토큰 이름을 입력해 주세요. 예: "ci of team a"',
  'token.oddName':
    '토큰 이름에는 문자, 숫자, 공백, 아포스트로피와 . _ - : / + ( )만 쓸 수 있습니다. 예: "ci of team a"',
  'token.listed': '토큰 목록은 <c>/endpoint tokens</c>로 볼 수 있습니다.',
  'token.none': '“{name}”이라(라)는 토큰이 없습니다. <c>/endpoint tokens</c>로 확인할 수 있습니다.',
  'token.notYours': '다른 사람의 토큰입니다. 소유자나 관리자만 폐기할 수 있습니다.',
  'token.revokesNamed':
    '{count, plural, =1 {이 토큰은} other {같은 이름의 토큰 #개는}} 바로 사용할 수 없게 되며, 답변을 기다리는 제안은 취소됩니다.',
  'token.notAllowed':
    '정책 파일에서 토큰 생성이 허용되지 않았습니다. 관리자가 정책 파일의 tokens에 추가할 수 있습니다.',
  'token.needsKey': '토큰을 만들려면 관리자가 LAMPLIGHTER_KEY를 설정해야 합니다.',
  'token.taken': '{name}은(는) Slack의 프로그램이 제안할 때 쓰는 이름입니다. 다른 이름을 사용해 주세요.',
  'token.already': '“{name}”이라(라)는 토큰이 이미 있습니다. 먼저 폐기하거나 다른 이름을 사용해 주세요.',
  'token.tooMany': '토큰이 이미 {most}개 있습니다. 먼저 하나를 폐기해 주세요.',
  'token.tooLong': '토큰의 유효 기간은 최대 {most}입니다.',
  'token.badCode': '코드가 완전하지 않습니다. 터미널에 나온 줄을 모두 복사해 주세요.',
  'token.staleCode': '코드가 만료되었습니다(유효 시간 10분). “lamplighter login”을 다시 실행해 주세요.',
  'token.usedCode': '이미 사용한 코드입니다. “lamplighter login”을 다시 실행해 주세요.',
  'token.means':
    '이 토큰으로 {until}까지 {by, select, none {소유자} other {{by} 님}}의 이름과 {role, select, viewer {조회자(viewer)} other {운영자(operator)}} 역할로 {fenced, select, yes {{on}에 대해 } other {}}{limited, select, yes {{only} 명령과 기본 명령(list, status, explain, help, whoami, cancel)만 사용할} other {{role, select, viewer {조회할} other {조회하고 변경을 제안할}}}} 수 있습니다.{role, select, viewer {} other { 제안한 변경은 모두 사람이 확인합니다.}}',
  'token.notYourTerminal': '본인의 터미널인지는 요청한 사람만 답할 수 있습니다.',
  'token.yours': '방금 직접 “lamplighter login”을 실행했을 때만 확인해 주세요.',
  'token.bySelf':
    '{what, select, address {주소는} other {토큰은}} {by, select, none {소유자} other {{by} 님}}에게 DM으로 한 번만 보냅니다.',
  'token.calendar':
    '이 주소를 아는 사람은 누구나 {until}까지{fenced, select, yes { {on}에 해당하는} other {}} 엔드포인트가 언제 시작되고 중지되는지 볼 수 있습니다. 다른 작업은 할 수 없습니다.',
  'token.address':
    '캘린더 “{name}”의 주소입니다. 지금 한 번만 표시됩니다. 앞에 API 주소를 붙여 캘린더에서 구독해 주세요. 다른 사람이 이 메시지를 보았다면 폐기해 주세요.',
  'calendar.change': '{name} {want, select, up {시작} other {중지}}{why, select, idle {(유휴)} other {}}',
  'token.secret':
    '“{name}” 토큰입니다. 지금 한 번만 보여 드립니다. 프로그램이 시크릿을 읽는 곳에 저장해 주세요. 다른 사람이 이 메시지를 보았다면 폐기해 주세요.',
  'tokens.title': '{count, plural, =0 {토큰이 없습니다.} other {토큰 #개}}',
  'tokens.one':
    '{role, select, viewer {조회자} other {운영자}}{limited, select, yes { · {only} 명령만} other {}}{fenced, select, yes { · {on} 엔드포인트만} other {}} · {until}까지',
  'tokens.revoke': '폐기',

  'token.ask': '토큰 “{token}”<q>을(를)</q> 생성',
  'token.doing': '토큰 “{token}” 생성 중',
  'token.done': '토큰 “{token}”을(를) 만들었습니다',
  'token.leave': '만들지 않기',
  'tokenTerminal.ask': '“{token}”<q>의</q> 로그인<q>을</q> 허용',
  'tokenTerminal.doing': '“{token}” 로그인 중',
  'tokenTerminal.done': '“{token}”에서 로그인했습니다',
  'tokenTerminal.leave': '아니요, 제 터미널이 아닙니다',
  'tokenTerminal.press': '네, 제 터미널입니다',
  'tokenRevoke.ask': '토큰 “{token}”<q>을(를)</q> 폐기',
  'tokenRevoke.doing': '토큰 “{token}” 폐기 중',
  'tokenRevoke.done': '토큰 “{token}”을(를) 폐기했습니다',

  'terminal.name': '{name} 터미널',
  'terminal.login':
    '10분 안에 Slack에 아래 명령을 입력해 주세요. 그런 다음 Lamplighter가 올린 카드에서 “네, 제 터미널입니다”를 눌러 주세요.',
  'terminal.loggedIn':
    '로그인했습니다. 사용자: {name, select, none {{person}} other {{name}({person})}}, 프로젝트: {project}, 역할: {role, select, viewer {조회자} operator {운영자} other {{role}}}, 만료: {until}. 토큰은 {file}에 있습니다.',
  'terminal.notInTime': '10분 안에 확인되지 않았습니다. “{program} login”을 다시 실행해 주세요.',
  'terminal.loggedOut': '로그아웃했습니다. {file}을(를) 삭제했습니다.',
  'terminal.stillValid': 'API에서 폐기를 확인하지 못해 토큰이 아직 유효할 수 있습니다. Slack에서 폐기해 주세요: {line}',
  'terminal.loggedOutAlready': '로그인되어 있지 않습니다.',
  'terminal.notLoggedIn':
    '“{word}”은(는) 터미널 명령이 아닙니다.{near} /endpoint 명령은 로그인이 필요합니다. {program} login --url URL. 명령 목록은 {program} --help로 볼 수 있습니다.',
  'terminal.noUrl': 'API 주소를 --url이나 LAMPLIGHTER_API_URL로 지정해 주세요. 예: https://lamplighter.example.com',
  'terminal.noAddress': 'LAMPLIGHTER_API_URL에 API 주소를 설정해 주세요. 예: https://lamplighter.example.com',
  'terminal.loginAgain': '다시 로그인하려면: {program} login --url {url}',
  'terminal.noToken': '{url}(LAMPLIGHTER_API_URL)에 로그인하거나 LAMPLIGHTER_TOKEN을 설정해 주세요.',
  'terminal.badLength': '--wait에는 30s, 10m, 2h 같은 기간을 지정해 주세요(입력값: “{word}”).',
  'terminal.again': '{busy, select, yes {{why}} other {응답이 없습니다({why}).}} {wait} 뒤에 다시 시도합니다.',
  'terminal.unreached':
    '{url}의 Lamplighter에서 응답이 없습니다({why}). 주소가 맞는지, API가 실행 중인지 확인해 주세요.',
  'terminal.unknown':
    '요청이 접수되었을 수 있습니다. --key {key}으로(로) 같은 명령을 다시 실행해도 중복으로 요청되지 않습니다.',
  'terminal.accepted':
    '요청 {id}은(는) 이미 접수되어 앞으로 실행될 수 있습니다. 결과는 Slack의 카드에서, 또는 --key {key}으로(로) 같은 명령을 다시 실행해 확인해 주세요.',
  'terminal.withdrawn':
    '요청 {id}이(가) 아직 시작되지 않았다면 실행되지 않습니다. 결과는 Slack의 카드에서 확인해 주세요.',
  'terminal.blocked': '그 요청이 끝나면 다시 제안합니다.',
  'terminal.member':
    '{kind, select, user {@{id}} group {사용자 그룹 {id}} channel {채널 {id} 멤버} other {이 워크스페이스 멤버}}',
  'terminal.sameRequest':
    '{at}에 보낸 같은 요청의 결과이며, 새로 요청하지 않았습니다. 다시 요청하려면 다른 --key를 사용해 주세요.',
  'terminal.open':
    '아직 끝나지 않았습니다. 기다리려면 --wait --key {key}으로(로) 다시 실행해 주세요. 취소하려면: {program} cancel {id} --reason "더 필요하지 않음"',
  'terminal.asked': '아무도 답하지 않으면 요청 {id}은(는) {at}에 만료됩니다.',
  'terminal.gone': '요청을 제안한 프로그램이 종료됨',
} as const
