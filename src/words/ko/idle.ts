/** What rules by use answer and announce. */
export const idleInKorean = {
  'idle.length': '얼마 뒤에 중지할지 적어 주세요. 예: {example}',
  'idle.offAlone': 'off에는 기간이나 다른 말을 붙이지 않습니다: {example}',
  'idle.bounds': '정책상 유휴 시간은 {least}에서 {most} 사이여야 합니다.',
  'idle.warning': '알림은 중지하기 5분에서 120분 전에 보내야 합니다.',
  'idle.autoscaled':
    '{name}은(는) 오토스케일링되어 플랫폼이 시작하고 중지합니다. 지표를 확인하면 계속 깨어 있을 수 있습니다. 그래도 유휴 중지를 쓰려면 autoscaled=yes를 추가해 주세요.',
  'idle.alreadyOff': '{name}의 유휴 중지는 이미 꺼져 있습니다.',
  'idle.off': '{name}은(는) 유휴 상태여도 중지하지 않습니다.',
  'idle.on': '{name}은(는) {after} 동안 요청이 없으면 중지됩니다. {warn} 전에 미리 알립니다.',
  'idle.try': '{name}은(는) 계속 실행됩니다. {after} 동안 요청이 없으면 중지했을 것이라고 알리기만 합니다.',
  'idle.unknownBefore': '제가 아는 한 이전에는 유휴 중지가 없었습니다. {line}으로(로) 켤 수 있습니다.',

  'idle.wouldStop': '지금 {name}을(를) 중지했을 것입니다: {evidence}. 시험 중이라 계속 실행합니다.',
  'idle.stop': '{name} 중지',
  'idle.stopWhenIdle': '유휴 시 중지',
  'idle.longer': '그렇게 중지한 직후 {times, plural, other {#번}} 다시 시작되어 지금은 유휴 시간이 {length}입니다.',
  'idle.ownerGone':
    '{name}은(는) 유휴 상태지만 계속 실행합니다. 유휴 중지를 설정한 사람이 더 이상 여기에서 작업할 수 없어 멈춰 두었습니다.',
  'idle.takeOver': '{name} 넘겨받기',
  'idle.unknownForADay': '하루 동안 {name}이(가) 유휴 상태인지 알 수 없었습니다: {why}.',
  'idle.notStopped': '{name}을(를) 중지하지 않습니다.',
  'idle.startedElsewhere': '{name}이(가) Lamplighter 밖에서 다시 시작되었습니다.',
  'idle.tooEarly': '시작되기 한 시간 안에 유휴로 중지했었습니다. 너무 일렀습니다.',
  'idle.fromNowOn': '앞으로는 {length} 동안 유휴 상태여야 중지합니다.',

  'hindsight.tooLittle': '어떻게 했을지 말하기에는 아직 데이터가 부족합니다.',
  'hindsight.unknown': '그 기간의 {share} %는 알 수 없습니다.',
  'hindsight.none': '최근 {span}: 중지하지 않았을 것입니다.',
  'hindsight.stops':
    '최근 {span}: 중지 {stops, plural, other {#번}}, {replicas, plural, =1 {} other {레플리카 #개에서 }}{saved}{priced, select, yes { ({money})} other {}} 절감, 지장이 있었을 중지 {hurt, plural, =0 {없음} other {#번}}.',
} as const
