/** Answers and refusals of the commands for endpoints. */
export const endpointsInKorean = {
  'endpoint.running':
    '{name}은(는) {state, select, failed {실패한 상태입니다. 재시작하면 해결될 수 있습니다} starting {이미 시작 중입니다} stopping {중지 중입니다} changing {변경 중입니다} other {이미 실행 중입니다}}.',
  'endpoint.stopped': '{name}은(는) 이미 중지되어 있습니다.',
  'endpoint.restartStopped': '{name}은(는) 중지되어 있습니다. 재시작 대신 시작해 주세요.',
  'endpoint.scaleStopped': '{name}은(는) 중지되어 있습니다. 레플리카 수는 실행 중일 때만 조정할 수 있습니다.',
  'endpoint.autoscaled': '{name}은(는) 플랫폼에서 오토스케일링되므로 여기에서 레플리카 수를 바꿀 수 없습니다.',
  'endpoint.mostReplicas': '정책상 레플리카는 최대 {most, plural, other {#개}}입니다(bounds.replicas).',
  'endpoint.hasReplicas': '{name} 레플리카는 이미 {count, plural, other {#개}}입니다.',
  'endpoint.unchanged': '설정을 하나 이상 바꿔 주세요.',
  'endpoint.forOrUntil': '기간과 종료 시각 중 하나만 입력해 주세요.',
  'endpoint.replicasUnknown': '{name}의 이전 레플리카 수를 알 수 없습니다.',
  'endpoint.envUnknown':
    '환경 변수 값은 저장하지 않아 되돌릴 수 없습니다. <c>/endpoint patch</c>로 다시 설정해 주세요.',
  'endpoint.settingsUnknown':
    '이전 설정을 알 수 없습니다. 플랫폼은 설정을 변경할 때만 설정을 보여 주는데, 여기에서는 이번이 첫 변경이었습니다.',
  'endpoint.costs': '약 {cost}.',

  'endpoint.refused': '{name}에 대한 플랫폼의 응답: {why} 아무 작업도 하지 않았습니다.',

  'endpoint.state':
    '{state, select, running {실행 중} stopped {중지됨} starting {시작 중} stopping {중지 중} changing {변경 중} failed {실패} other {상태 알 수 없음}}{next, select, none {} other { · {next}}}{idle, select, none {} other { · {idle}}}{word, select, none {} other { · {word}}}{known, select, none {} some { · 레플리카 {replicas, plural, other {#개}} 중 {up}개 실행 중} other { · 레플리카 {replicas, plural, other {#개}}{state, select, stopped {로 시작} other {}}}}{known, select, none {} other {{scaled, select, yes {, 오토스케일링} other {}}}}{gpu, select, none {} other { · {gpu}}}',
  'endpoint.gpuCost': '{gpu} · {state, select, stopped {실행 시 } other {}}시간당 {cost}',
  'endpoint.next':
    '{when, select, now {지금} other {{length} 후}} {verb, select, stops {중지} other {시작}}{by, select, once {} idle {(유휴)} other {(스케줄)}}',

  'action.start': '시작',
  'action.stop': '중지',
  'action.restart': '재시작',
  'action.scale': '레플리카 수 조정…',
  'action.patch': '설정 변경…',
  'action.schedule': '스케줄…',
  'action.idle': '유휴 중지…',
  'action.keep': '자동화 일시 중지…',
  'action.resume': '자동화 재개…',
  'action.thaw': '모든 자동화 재개…',
  'action.protect': '보호…',
  'action.status': '상태',
  'action.replicas': '레플리카',
  'action.logs': '로그',
  'action.schedules': '스케줄 보기',
  'action.history': '기록',
  'action.list': '목록',
  'action.savings': '절감 내역',
  'action.explain': '모의 실행',
  'action.whoami': '내 역할 보기',
  'action.doctor': '점검하기',
  'action.help': '도움말',
  'action.more': '더 보기…',

  'endpoint.start': '{name} 시작',
  'endpoint.stop': '{name} 중지',

  'list.title':
    '{state, select, running {실행 중인 } stopped {중지된 } idle {유휴 상태인 } other {}}엔드포인트 {total, plural, other {#개}}',
  'list.cost':
    '현재 실행 비용: 시간당 {hour}, 이대로면 한 달에 약 {month}입니다.{dearest, select, none {} other { {dearest}의 비용이 가장 큽니다.}}',
  'list.open':
    '{verb, select, start {시작} stop {중지} restart {재시작} scale {레플리카 수 조정} patch {설정 변경} other {{verb}}} {awaits, select, nothing {진행 중} approval {승인 대기} other {확인 대기}}',
  'list.idle': '{after} 유휴 시 {mode, select, try {알림만(모의 실행)} other {중지}}',
  'list.none':
    '{state, select, idle {오랫동안 유휴 상태인} stopped {중지된} running {실행 중인} other {해당하는}} 엔드포인트가 없습니다.',
  'list.which': 'list 뒤에는 running, stopped, idle 중 하나를 씁니다. 엔드포인트 하나는 status로 볼 수 있습니다.',
  'list.noPage': '{page}페이지는 없습니다. 마지막은 {pages}페이지입니다.',
  'page.of': '{page}/{pages}페이지',
  'page.previous': '이전',
  'page.next': '다음',
  'page.last': '마지막 페이지',

  'replicas.title': '{name} 레플리카 {count, plural, =0 {없음} other {#개}}',
  'replicas.state': '{id} · {state, select, RUNNING {실행 중} PENDING {대기 중} FAILED {실패} other {{state}}}',
  'replicas.running': '{length}째 실행 중',
  'replicas.node': '(노드 {node})',

  'schedules.titleAll':
    '{count, plural, =0 {아직 스케줄이 없습니다. <c>/endpoint schedule</c>로 만들 수 있습니다.} other {자동화가 설정된 엔드포인트 #개}}',
  'schedules.titleOf': '{name}의 스케줄',
  'schedules.none': '{name}에는 스케줄도 유휴 중지도 없어 Lamplighter가 자동으로 중지하지 않습니다.',
  'schedules.noStart': '{name}은(는) 중지되어 있습니다. 스케줄이 없어 Lamplighter가 자동으로 시작하지 않습니다.',
  'schedules.days': '앞으로 7일{place, select, none {} UTC {(UTC)} other {({place} 시간)}}:',
  'schedules.more': '{count}개 더',
  'schedules.paused': '일시 중지: 소유자가 운영자인지 Slack에서 확인되지 않음',
  'schedules.moved': '(미뤄져 {at}에 중지)',
  'schedules.idle':
    '{after} 유휴 시 중지, {mode, select, try {모의 실행(알림만)} other {{warn} 전 알림}}{autoscaled, select, yes {, 오토스케일링에도 적용} other {}}',
  'schedules.longer': '설정은 {after}이지만, 중지 후 금방 다시 시작된 적이 있어 지금은 더 깁니다.',
  'schedules.neverIdle': '유휴 상태여도 중지하지 않음',
  'schedules.gone': '플랫폼에 더 이상 없는 엔드포인트라 규칙이 일시 중지되었습니다.',
  'schedules.staysStopped': '중지되면 누군가 시작할 때까지 중지된 상태로 남습니다.',
  'schedules.announced': '{at}에 중지될 예정입니다.',
  'schedules.by': '설정:',
  'schedules.remove': '스케줄 삭제',
  'schedules.cancelStop': '이 중지 취소',
  'schedules.removeAll': '스케줄 모두 삭제',

  'status.guard':
    '🔒{guard, select, yes { 보호되어 있습니다.} other {}}{requirement, select, approval { 중지하려면 {count, plural, other {승인 #건}}이 필요합니다.} refusal { 중지할 수 없습니다.} other {}}',
  'status.keptBy': '{how, select, hand {변경:} other {일시 중지:}}',
  'status.rule': '스케줄: {rule}',
  'status.details': '{length} 전 변경{url, select, none {} other { · {url}}}',
  'endpoint.restart': '{name} 재시작',
  'schedules.frozen':
    '{by, select, none {} other {{by} 님이 }}모든 자동화를 {until, select, none {무기한} other {{until}까지}} 일시 중지했습니다{because, select, no {} other {: “{reason}”}}',
} as const
