/** Freeze and thaw, protection, the lockdown, and undo. */
export const safeguardsInKorean = {
  'keep.already':
    '{name}은(는) 이미 {until}까지 자동으로 시작하거나 중지하지 않습니다. 그만두려면 <c>/endpoint resume</c>을 사용해 주세요.',
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
