/** Delegation, and requests that wait for approvals, with the names of these operations: see `phrases.ts`. */
export const approvalsInKorean = {
  'approval.needsKey':
    '승인하려면 서명 키가 필요합니다. 봇과 워커에 LAMPLIGHTER_KEY를 설정해 주세요(openssl rand -base64 32). 아무 작업도 하지 않았습니다.',
  'approval.own': '본인 요청은 승인할 수 없습니다.',
  'approval.twice': '이미 승인하셨습니다. 다른 사람의 승인이 더 필요합니다.',
  'approval.twiceInPlace': '{who} 님이 이미 대신 승인했습니다. 다른 사람의 승인이 더 필요합니다.',
  'approval.unchecked':
    '승인자에게 아직 승인 권한이 있는지 Slack에서 확인할 수 없어 아무 작업도 하지 않았습니다. 잠시 후 다시 시도해 주세요.',
  'approval.gone': '승인자 중 권한이 없어진 사람이 있어 아무 작업도 하지 않았습니다. 다시 시도해 주세요.',
  'approval.replaced': '같은 스레드의 새 질문으로 대체되었습니다.',
  'approval.role':
    '{project} 프로젝트에서 {role, select, operator {운영자(operator)} approver {승인자(approver)} other {관리자(admin)}} 역할이 있는 사람만 답할 수 있습니다{who, select, none {} other {: {who}}}.',
  'approval.notYours': '{who}만 답할 수 있습니다.',
  'approval.agreed': '{who} 님이 이미 {how, select, confirmed {확인} other {승인}}했습니다.',
  'approval.declined': '{who} 님이 이미 거절했습니다.',

  'away.tooLong': '위임 기간은 정책상 최대 {most}입니다(bounds.away).',
  'away.self': '본인에게는 위임할 수 없습니다.',
  'away.now': '지금은 {to} 님이 {until}까지 대신 승인할 수 있습니다. 새로 위임하면 바뀝니다.',
  'away.means':
    '위임받은 사람이 {until}까지 대신 승인할 수 있습니다. 자신의 요청과 위임한 사람의 요청은 승인할 수 없습니다.',
  'away.notYours': '{verb}은(는) 요청한 사람만 되돌릴 수 있습니다.',
  'away.told': '{until}까지 {who} 님을 대신해 승인할 수 있습니다.',
  'back.means': '이제 대신 승인하는 사람이 없습니다.',
  'back.none': '종료할 위임이 없습니다.',

  'hold.ended': '{until}까지 일시 중지해 두신 {name} 자동화를 {by} 님이 재개했습니다.',
  'hold.shortened': '{until}까지 일시 중지해 두신 {name} 자동화를 {by} 님이 {end}에 재개하도록 바꿨습니다.',

  'glass.notWaiting': '긴급 실행은 승인을 기다리는 요청에만 쓸 수 있습니다. 아무 작업도 하지 않았습니다.',
  'freeze.over': '자동화가 이미 재개되었습니다.',
  'approval.countedOf':
    '{deed}: 승인했습니다({needed, number}건 중 {count, number}건). {until}까지 {left, number}건이 더 필요합니다.',
  'approval.noAnswer': '{length} 동안 답변이 없습니다.',
  'away.ended': '이제 {who} 님을 대신해 승인할 수 없습니다.',
  'away.begun': '{until}까지 {to} 님이 {who} 님을 대신해 승인할 수 있습니다.',
  'away.ownVote': '{to} 님은 이미 승인자이며, 여전히 한 표만 가집니다.',
  'away.over': '이제 {who} 님을 대신해 승인하는 사람이 없습니다.',

  'away.ask': '승인<q>을</q> 위임',
  'away.doing': '승인 위임 중',
  'away.done': '승인을 위임했습니다',
  'form.away.submit': '위임',
  'form.away.title': '승인 위임',
  'back.ask': '위임<q>을</q> 종료',
  'back.doing': '위임 종료 중',
  'back.done': '위임을 종료했습니다',
  'form.back.submit': '위임 종료',
  'form.back.title': '위임 종료',

  'question.ask': '“{question}” 승인',
  'question.doing': '“{question}” 승인 기록 중',
  'question.done': '“{question}” 요청이 승인되었습니다',
  'question.leave': '거절',
  'form.ask.title': '승인 요청',
  'form.ask.submit': '요청',

  'approve.ask': '승인',
  'approve.done': '승인했습니다: {deed}.',
  'decline.ask': '거절',
  'confirm.done': '확인했습니다: {deed}.',
  'decline.done': '거절했습니다: {deed}.',
  'break-glass.ask': '승인 없이 실행',
  'break-glass.done': '긴급 실행했습니다: {deed}.',
  'form.break-glass.submit': '승인 없이 실행',
  'cancel.ask': '취소',
  'cancel.done': '취소했습니다: {deed}.',
  'form.cancel.submit': '요청 취소',
  'undo.ask': '되돌리기',
  'undo.done': '되돌렸습니다: {deed}.',
} as const
