/** Approvals, delegation, and the names of these operations: see `phrases.ts`. Freeze, protection, lockdown, undo. */
export const guardsInKorean = {
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
  'approval.goesOn': '결과는 카드에 표시됩니다.',
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

  'keep.already':
    '{name}은(는) 이미 {until}까지 자동으로 시작하거나 중지하지 않습니다. 그만두려면 <c>/endpoint resume</c>을 사용해 주세요.',
  'keep.stopMoved': '{planned}에 예정된 중지가 미뤄져 {at}에 중지됩니다.',
  'once.sooner':
    '그 전인 {at}에 중지될 예정입니다({by, select, weekly {스케줄} hold {일시 중지가 끝난 뒤} other {앞선 요청}}).',
  'freeze.appliesAgain':
    '{until, select, none {누군가 모든 자동화를 재개하면} other {모든 자동화가 {until}까지 일시 중지되어 있으며, 그 뒤}} {name}에 스케줄과 유휴 중지가 다시 적용됩니다.',
  'freeze.means':
    '{locked, select, yes {모든 변경도 차단되어 있습니다.} other {사람이 요청한 작업은 계속 처리됩니다.}}',
  'freeze.instead':
    '{by} 님이 {until, select, none {기한 없이} other {{until}까지}} 설정한 일시 중지{because, select, no {} other {(“{reason}”)}}를 대체합니다.',
  'freeze.before': '자동화는 이미 {until}까지 일시 중지되어 있었습니다. 재개하면 둘 다 끝납니다.',
  'freeze.shown': '모든 자동화가 {until, select, none {무기한} other {{until}까지}} 일시 중지되어 있습니다.',
  'thaw.adminOnly': '모든 변경이 차단되었으며 관리자만 해제할 수 있습니다. {why}',
  'thaw.unlocks':
    '다시 변경할 수 있습니다.{frozen, select, yes { 자동화는 따로 재개할 때까지 계속 일시 중지됩니다.} other {}}',
  'thaw.accepts':
    '변경 차단을 해제하면 관리자가 데이터 유실을 받아들인 것으로 기록되고, 검증할 수 없는 이전 요청은 종료됩니다.',
  'thaw.notFrozen': '자동화가 일시 중지되어 있지 않습니다.',
  'thaw.means': '그러면 스케줄과 유휴 중지가 다시 적용됩니다.',
  'thaw.noLockdown': '관리자가 해제한 변경 차단은 되돌릴 수 없습니다.',

  'lockdown.announced': '{project} 프로젝트의 모든 변경이 차단되었습니다.',
  'lockdown.setAside': '검증할 수 없는 요청은 실행되지 않습니다.',
  'lockdown.lookInto':
    'Redis에 쓸 수 있는 사람을 확인하고 “{program} audit verify”를 실행해 주세요. 방금 LAMPLIGHTER_KEY를 바꿨다면 이전 키도 함께 지정해야 합니다(새 키,이전 키). Redis가 방금 재시작되었다면 데이터가 appendonlydir에 남아 있을 수 있으니, 워커를 모두 중지한 다음 복원해 주세요.',
  'lockdown.end': '그런 다음 관리자가 <c>/endpoint thaw</c>로 해제합니다.',
  'lockdown.loss':
    '{well, select, yes {감사 로그는 손상되지 않았습니다.} other {감사 로그가 손상되었습니다. {says}}} {missing}',
  'lockdown.missing': '보호, 일시 중지, 위임, 스케줄이 없어졌거나 예전 것이 되살아났을 수 있으니 확인해 주세요.',

  'lockdown.changed': 'Redis에 저장된 데이터가 변경되었습니다: {what}.',
  'lockdown.shorter':
    'Redis에서 데이터가 유실되었습니다. 감사 로그가 항목 {before}까지 있었는데 지금은 항목 {entry}에서 끝납니다.',
  'lockdown.otherEntry': 'Redis에서 데이터가 유실되었습니다. 감사 로그의 항목 {entry}이(가) 원래 항목이 아닙니다.',
  'lockdown.older': 'Redis에서 데이터가 유실되었습니다. 보호, 일시 중지, 위임, 스케줄이 최신이 아닙니다.',
  'lockdown.otherEnd': 'Redis의 감사 로그는 항목 {entry}에서 끝나야 하는데 그렇지 않습니다.',
  'lockdown.records': 'Redis에서 보호, 일시 중지, 위임, 스케줄이 없어졌거나 예전 것이 되살아났습니다.',
  'lockdown.putBack':
    'Redis에서 {by} 님의 요청 “{line}”{on, select, none {} other {({name})}}이(가) 예전 상태로 되돌려져 있습니다. 감사 로그에는 이 요청의 더 새로운 항목이 있습니다.',
  'lockdown.oldRequest': 'Redis에서 요청 {id}이(가) 예전 상태로 되돌려져 있습니다.',
  'lockdown.lostEntry': 'Redis의 감사 로그에서 항목 {entry}이(가) 유실되었거나 바뀌었습니다.',
  'lockdown.misled':
    'Redis에서 {what, select, lock {{endpoint}의 락} other {{endpoint}의 마지막 변경 기록}}이 다른 대상의 요청을 가리킵니다.',

  'audit.notNoted': '항목 {entry}이(가) 체크포인트와 다릅니다.',
  'audit.changed': '항목 {entry}이(가) 바뀌었거나 앞 항목에 이어지지 않습니다.',
  'audit.missing': '항목 {entry}이(가) 없거나 제자리에 있지 않습니다.',
  'audit.gap': '항목 {from}~{to}이(가) 없거나 검증할 수 없습니다.',
  'audit.cut': '항목 {count, plural, =1 {{from}} other {{from}~{to}}}이(가) 없습니다.',
  'audit.more': '이런 항목이 {count, plural, other {#개}} 더 있습니다.',
  'audit.goesOn':
    '그 앞은 손상되지 않았습니다.{on, select, yes { 그 뒤도 항목 {entry}까지 손상되지 않았습니다.} other {}}',
  'audit.empty': '항목이 없습니다.',
  'audit.proven':
    '항목 {count, plural, =1 {{from}} other {{from}~{to}}}은(는) 손상되지 않았습니다.{unproven, select, none {} other { 항목 {unproven} 뒤로는 더 새로운 체크포인트가 없어 증명되지 않았습니다.}}',
  'audit.accepted':
    '예외: {count, plural, =0 {항목 {from} 앞에 있는 내용} =1 {항목 {from}} other {항목 {from}~{to}}}은(는) 유실되었거나 바뀌었으며, {by} 님이 {at}에 이를 인정했습니다(항목 {entry}).',

  'protect.byPolicy': '{name}은(는) 정책 파일의 {entry}에 따라 이미 보호되고 있습니다.',
  'protect.already': '{name}은(는) 이미 보호되어 있습니다.',
  'protect.means': '자동으로 중지되지 않으며, 중지하려면 승인이 필요합니다.',
  'protect.noStop': '{by} 님이 {until}에 예약한 중지는 취소됩니다.',
  'protect.still': '{name}은(는) 정책 파일의 {entry}에 따라 계속 보호됩니다.',
  'protect.not': '{name}은(는) 보호되어 있지 않습니다.',
  'protect.fixed': '{name}은(는) 정책 파일의 {entry}에 따라 보호되고 있어 그 파일에서만 해제할 수 있습니다.',

  'undo.offer':
    '{on, select, none {} other {{name} }}{verb, select, skip {중지 건너뛰기} start {시작} stop {중지} restart {재시작} scale {레플리카 수 조정} patch {설정 변경} schedule {스케줄 저장} unschedule {스케줄 삭제} keep {자동화 일시 중지} resume {자동화 재개} idle {유휴 중지 설정} protect {보호} unprotect {보호 해제} freeze {모든 자동화 일시 중지} thaw {모든 자동화 재개} away {위임} back {위임 종료} other {{verb}}} 되돌리기',
  'undo.back':
    '{verb, select, start {{name} 중지} stop {{name} 다시 시작} restart {{name} 재시작 되돌리기} scale {{name} 레플리카 수 조정 되돌리기} patch {{name} 설정 변경 되돌리기} other {{on, select, none {} other {{name} }}{verb} 되돌리기}}',
  'undo.skip': '{name} 중지 건너뛰기',
  'undo.asks': '“{line}” 작업을 되돌립니다.',
  'undo.underWay': '“{line}” 작업이 아직 끝나지 않았습니다. 끝난 뒤 되돌려 주세요.',
  'undo.nothing': '{name}에 되돌릴 작업이 없습니다.',
  'undo.cannot': '“{line}”은(는) 되돌릴 수 없습니다. {why}',
  'undo.noOpposite': '{verb}을(를) 되돌리는 명령이 없습니다.',
  'undo.over': '이전에 적용되던 설정은 이미 기한이 지났습니다.',
  'undo.notEndpoint':
    '“{word}”이라(라)는 엔드포인트가 없습니다. {word}을(를) 되돌리려면 <c>/endpoint {line}</c>을(를) 입력하거나 기록을 이용해 주세요.',
  'undo.which':
    '사람이 마지막으로 변경한 것은 “{change}”이고, 그 뒤 자동화가 “{done}”을(를) 실행했습니다. 어느 쪽을 되돌릴까요?',
  'freeze.already':
    '{by, select, none {} other {{by} 님이 }}이미 모든 자동화를 {until, select, none {무기한} other {{until}까지}} 일시 중지했습니다{because, select, no {} other {(“{reason}”)}}. <c>/endpoint thaw</c>로 재개{until, select, none {할} other {하거나 <c>/endpoint freeze</c>로 종료 시각을 늦출}} 수 있습니다.',
  'undo.since':
    '그 뒤{on, select, project {} other { {name}에}} 다른 작업이 있어 되돌리지 않았습니다.{known, select, no {} other { 마지막 변경: {last}.}}',
} as const
