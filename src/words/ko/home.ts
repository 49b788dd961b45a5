/** The Home tab. */
export const homeInKorean = {
  'home.waiting': '답변을 기다리는 요청',
  'home.nothing': '답변할 요청이 없습니다.',
  'home.moreWaiting': '답변을 기다리는 요청이 {count, plural, other {#건}} 더 있습니다: /endpoint approve',
  'home.running': '현재 실행 중',
  'home.cost':
    '{all, number}개 중 {up, number}개 실행 중{failed, plural, =0 {} =1 { · {names} 실패} other { · #개 실패: {names}}}{hour, select, none {} other { · 시간당 {hour} · 이대로면 한 달에 약 {month}{unpriced, plural, =0 {} other { · 가격 없음 #개}}}}',
  'home.idle': '중지 규칙이 없는 유휴 엔드포인트',
  'home.idleFor': '{length}째 유휴{hour, select, none {} other { · 시간당 {hour} 절감 가능}}',
  'home.moreIdle': '유휴 엔드포인트가 {count}개 더 있습니다.',
  'home.ahead': '앞으로 24시간',
  'home.aheadNone':
    '{ruled, select, yes {예고된 시작이나 중지가 없습니다.} other {자동으로 시작하거나 중지할 엔드포인트가 없습니다. 업무 시간을 등록하려면 /endpoint schedule을 입력해 주세요.}}',
  'home.aheadLater':
    '예정된 시작이나 중지가 없습니다. 다음: {at} {count, plural, =1 {{name}} other {엔드포인트 #개}} {want, select, up {시작} other {중지}}.',
  'home.legend':
    '█ 실행 · ░ 중지 · 한 칸은 1시간{zone, select, UTC {(UTC)} other {}}{more, plural, =0 {} other { · #개 더: /endpoint list}}',
  'home.paused':
    '{by, select, console {Lamplighter를 거치지 않고 변경됨: 그대로 둠} hand {요청으로 변경됨: 그대로 둠} skip {중지 건너뜀: 그대로 둠} other {자동화 일시 중지}}({length} 남음)',
  'home.change':
    '{where, select, none {} other {({where} 프로젝트) }}{at} {want, select, up {시작} other {중지}}{why, select, once {} idle {(유휴)} other {(스케줄)}}',
  'home.schedules': '전체 스케줄',
  'home.asked': '내 요청',
  'home.waits': '{count, plural, =0 {확인 대기 중} other {승인 #건 대기 중}}',
  'home.queued': '대기 중입니다.',
  'home.saved': '최근 7일 절감',
  'home.savedBy': '스케줄과 유휴 중지: {sums}',
  'home.savings': '엔드포인트·날짜별 보기',
  'home.endpoints': '{project, select, none {엔드포인트} other {{project}의 엔드포인트}}',
  'home.project': '{project} 프로젝트',
  'home.unlisted': '아직 엔드포인트 목록이 없습니다. 잠시 후 다시 보거나 /endpoint list를 입력해 주세요.',
  'home.age':
    '{recent, select, yes {방금 업데이트됨.} other {{age} 전 업데이트됨.}}{more, plural, =0 {} other { #개 더: /endpoint list}}',
  'home.noRole': '역할이 부여된 프로젝트가 없습니다. 관리자가 lamplighter.yaml에서 역할을 부여할 수 있습니다.',
  'home.trouble': '지금은 정보를 모두 불러올 수 없습니다. 잠시 후 새로 고쳐 주세요.',
  'home.refresh': '새로 고침',
  'home.setUp': '설정하기',
  'home.noPolicy':
    '아직 정책 파일이 없어 누구나 조회할 수 있지만 아무도 변경할 수 없습니다. Lamplighter가 실행되는 서버에서 {program} init을 실행해 주세요. 사람과 채널을 이름으로 고를 수 있습니다.',
  'home.setUpLines':
    '또는 아래 내용을 그 서버에 lamplighter.yaml로 저장하고 Lamplighter를 다시 시작해 주세요. 내용에 있는 ID는 본인의 ID입니다.',
} as const
