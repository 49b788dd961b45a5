/** A duration in hours and minutes; older stored sentences may have minutes alone. */
const since = '{hours, plural, =0 {{minutes}분} other {{hours}시간{minutes, plural, =0 {} other { {minutes}분}}}}'

/** Idle rules: answers and notices. */
export const idleInKorean = {
  'idle.length': '얼마 동안 유휴 상태이면 중지할까요?',
  'idle.offAlone': 'off에는 기간이나 다른 옵션을 붙일 수 없습니다.',
  'idle.bounds': '정책상 유휴 시간은 {least}에서 {most} 사이여야 합니다.',
  'idle.warning': '알림은 중지하기 5~120분 전에 보내야 합니다.',
  'idle.autoscaled':
    '{name}은(는) 오토스케일링되어 플랫폼이 시작하고 중지합니다. 메트릭을 조회하는 것만으로도 스케일 다운되지 않을 수 있습니다. 그래도 유휴 중지를 쓰려면 <c>autoscaled=yes</c>를 추가해 주세요.',
  'idle.alreadyOff': '{name}의 유휴 중지는 이미 꺼져 있습니다.',
  'idle.off': '{name}은(는) 유휴 상태여도 중지하지 않습니다.',
  'idle.on': '{after} 동안 요청이 없으면 먼저 알리고, {warn} 뒤에 {name}을(를) 중지합니다.',
  'idle.try': '{name}은(는) 계속 실행됩니다. {after} 동안 요청이 없으면 중지 대상이라고 알리기만 합니다.',
  'idle.was': '변경 전: {mode, select, try {모의 실행, } other {}}유휴 시간 {after}, 중지 {warn} 전 알림.',
  'idle.raised': '중지 후 금방 다시 시작된 적이 있어 지금은 {length} 동안 유휴 상태여야 합니다.',
  'idle.unknownBefore': '이전에는 이 엔드포인트만의 유휴 중지 설정이 없었습니다. <c>{line}</c>으로(로) 켤 수 있습니다.',

  'idle.wouldStop': '지금 {name}은(는) 유휴 중지 대상입니다: {evidence}. 모의 실행이라 계속 실행합니다.',
  'idle.stopWhenIdle': '유휴 시 중지',
  'idle.longer':
    '유휴 중지 직후 다시 시작된 일이 {times, plural, other {#번}} 있어 지금은 유휴 시간 기준이 {length}입니다.',
  'idle.ownerGone':
    '{name}은(는) 유휴 상태지만 계속 실행합니다. 소유자가 더 이상 운영자가 아니어서 유휴 중지를 일시 중지했습니다.',
  'idle.unknownForADay': '하루째 {name}의 유휴 여부를 알 수 없습니다: {why}.',
  'idle.startedElsewhere': '{name}이(가) Lamplighter를 거치지 않고 다시 시작되었습니다.',
  'idle.tooEarly': '유휴 중지한 지 한 시간도 안 되어 다시 시작되었으니 너무 이른 중지였습니다.',
  'idle.fromNowOn': '앞으로는 {length} 동안 유휴 상태여야 중지합니다.',

  'hindsight.hour': '중지하면 시간당 {hour} 절감됩니다.',
  'hindsight.tooLittle': '미리 보기에 필요한 데이터가 아직 부족합니다.',
  'hindsight.unknown': '그중 {share, number, percent}는 데이터가 없습니다.',
  'hindsight.none': '지난 {span} 동안 적용했다면 한 번도 중지되지 않았을 것입니다.',
  'hindsight.stops':
    '지난 {span} 동안 적용했다면 {stops, plural, other {#번}} 중지되었을 것입니다{hurt, plural, =0 {} other {(그중 #번은 한 시간 안에 다시 사용되어 너무 이른 중지)}}. 예상 절감: {saved}{priced, select, yes {({money})} other {}}.',
  'reading.reset': '카운터가 줄어 서버가 재시작된 것으로 보임',
  'reading.restarted': '서버가 재시작됨',
  'reading.quiet': '레플리카{replicas, plural, =1 {} other { #개 모두}}에서 요청 없음',
  'reading.silent':
    '{seen, plural, =0 {} other {#개에 요청 없음, }}레플리카 {replicas, plural, other {#개}} 중 {logs}개에 로그 없음',
  'reading.starting': '레플리카 {replica}: {state, select, starting {시작 중} stopping {중지 중} other {{state}}}',
  'reading.requests': '지난 확인 이후 요청 {count, plural, other {#건}} 처리',
  'reading.worked': '작업 카운터가 증가함',
  'reading.open': '요청 {count, plural, other {#건}} 처리 중 또는 대기 중',
  'reading.log': '레플리카 {replica}이(가) 로그를 남김',
  'reading.noReplica': '플랫폼에 레플리카가 없음',
  'reading.unlisted': '플랫폼이 레플리카를 알려 주지 않음',
  'reading.unread': '메트릭을 읽지 못함',
  'reading.stuck': '요청이 처리 중으로 나오지만 15분째 진행이 없음(멈췄거나 오래된 값)',
  'reading.first': '방금 처음 확인함',
  'reading.newReplica': '새 레플리카가 있음',
  'reading.partly':
    '레플리카 {replicas}개 중 {seen}개의 메트릭만 읽고 구분할 수 있었음{logs, select, yes {, 로그도 일부 읽지 못함} other {}}',
  'reading.noAddress': '플랫폼이 URL을 알려 주지 않음',
  'reading.redirected':
    '메트릭 URL이 다른 주소로 리디렉션합니다({status}). 리디렉션은 지원하지 않습니다. 중지한 뒤 <c>{line}</c>으로(로) 경로를 설정해 주세요',
  'reading.nowhere': '{paths}에 메트릭이 없습니다. 다른 곳에 있다면 patch로 메트릭 경로를 설정해 주세요',
  'reading.status': '메트릭 URL이 {status}으로(로) 응답함',
  'reading.needsKey':
    '메트릭 URL에 키가 필요합니다({status}). 확인할 컨테이너에만 접근할 수 있는 전용 API 키를 만들고(Lamplighter가 플랫폼 호출에 쓰는 키는 안 됩니다) 정책 파일의 {setting}에 그 키의 변수 이름을 입력해 주세요',
  'reading.keyRefused':
    '메트릭 URL이 메트릭 키를 거부했습니다({status}). 이 컨테이너에 접근할 수 있는 키를 만들어 {setting}에 지정한 변수에 넣어 주세요',
  'reading.packed': '메트릭이 압축되어 있음(압축은 지원하지 않음)',
  'reading.slow': '메트릭을 읽는 데 {seconds, number}초 넘게 걸림',
  'reading.long': '메트릭이 {most}MB보다 큼',
  'reading.unreachable': '메트릭 URL에 연결할 수 없음',
  'reading.private': '메트릭 URL이 사설 주소입니다. 정책 파일의 {setting}으로(로) 허용할 수 있습니다',
  'reading.autoscaled':
    '오토스케일링되어 있어 메트릭을 조회하는 것만으로도 스케일 다운되지 않을 수 있습니다. 그래도 조회하려면 <c>{line}</c>을(를) 입력해 주세요',
  'reading.noNames': '메트릭에 사용 여부를 나타내는 항목이 없음',
  'reading.notNumber': '메트릭 중 하나가 숫자가 아님',
  'reading.noCounter': '메트릭에 사용할 때 늘어나는 카운터가 없음',
  'reading.changed': '{at}에 {by, select, none {} other {{by} 님이 }}변경함({deed})',
  'reading.unlooked': '아직 확인하지 않음',
  'reading.lookedBeforeChange': '마지막 변경 이후 확인하지 않음',
  'reading.old': '{length}째 확인하지 않음',
  'idle.for': `${since} 동안 요청 없음`,
  'idle.evidence': `레플리카{all, select, yes {{replicas, plural, =1 {} other { #개 모두}}} other { {replicas, plural, other {#개}} 중 {seen}개}}에서 ${since} 동안 요청 없음({by} 기준)`,
  'idle.metrics': '{known, select, yes {{servers} 메트릭} other {메트릭}}',
  'idle.logs': '로그',
  'idle.reason': '{evidence}.',
  'usage.busy': '사용 중: {why}.',
  'usage.changed': '사용 중으로 간주: {why}.',
  'usage.unknown': '사용 여부 알 수 없음: {why}.',
  'usage.quiet': '{length}째 유휴({why}{metrics, select, yes {, {servers} 메트릭 기준} other {}}).',
  'usage.idle': '{length}째 유휴',
  'usage.remedy':
    '레플리카를 구분하려면 메트릭에 process_start_time_seconds를 추가하거나 레플리카를 하나만 실행해 주세요.',
  'usage.notWhileUnknown': '확인될 때까지 유휴 중지를 하지 않습니다.',
  'usage.spared': '지금은 유휴 중지를 하지 않습니다: {why}.',
  'usage.stops':
    '{state, select, stopped {실행 후 } other {}}{after} 동안 요청이 없으면 중지를 예고합니다{counted, select, some {{from, select, none {} other {. 유휴 시간은 {from}부터 셉니다}}} other {}}{longer, select, yes {. 중지 후 금방 다시 시작된 적이 있어 설정보다 긴 시간입니다} other {}}.',
  'usage.tries':
    '유휴 중지 모의 실행: {after} 동안 요청이 없으면 중지 대상이라고 알리기만 합니다{counted, select, some {{from, select, none {} other {. 유휴 시간은 {from}부터 셉니다}}} other {}}{longer, select, yes {. 중지 후 금방 다시 시작된 적이 있어 설정보다 긴 시간입니다} other {}}.',
  'spared.protected': '보호되어 있음',
  'spared.autoscaled': '오토스케일링이 켜져 있음',
  'spared.frozen': '모든 자동화가 일시 중지됨',
  'spared.kept': '자동화가 일시 중지됨',
  'spared.run': '{until}까지 실행하도록 요청됨',
  'spared.schedule': '스케줄상 {want, select, up {실행되고} other {중지되어}} 있어야 함',
  'withdrawn.changed': '유휴 중지 설정이나 레플리카가 바뀜',
  'withdrawn.inUse': '다시 사용 중({why})',
  'withdrawn.unknown': '사용 여부를 확인할 수 없음({why})',
  'withdrawn.off': '유휴 중지가 꺼짐',
  'withdrawn.try': '유휴 중지가 모의 실행 중임',
  'withdrawn.partly': '최근 {span} 중 {unknown}은(는) 데이터가 없음',
} as const
