/** Savings from stops. */
export const savingsInKorean = {
  'length.hours': '{count, number}시간',
  'savings.hours': '{hours, plural, =0 {없음} other {레플리카 기준 #시간}}',
  'savings.sum': '{money}({hours, plural, other {레플리카 기준 #시간}})',
  'savings.partly': '{money}({hours, plural, other {레플리카 기준 #시간}}, 그중 {unpriced, number}시간은 가격 없음)',
  'savings.title':
    '{days, plural, =0 {지난주} =1 {오늘} other {최근 #일간}} 스케줄과 유휴 중지로 절감: {least, select, yes {최소 } other {}}{sum}',
  'savings.running': '현재 실행 비용: 시간당 {money}. 지금까지 쓴 금액은 기록하지 않습니다.',
  'savings.bySchedule': '스케줄: {sum}',
  'savings.byIdle': '유휴 중지: {sum}',
  'savings.byPerson': '수동 중지(합계에 미포함): {sum}',
  'savings.stops':
    '중지 {count, plural, other {#회}}{regrets, plural, =0 {} other {, 그중 #회는 너무 일찍 중지함: 한 시간 안에 사람이 다시 시작함(그때까지의 절감은 포함)}}',
  'savings.none': '이 기간에 중지한 엔드포인트가 없습니다.',
  'savings.own': '{who, select, both {자동: {rules} · 수동: {people}} rules {자동: {rules}} other {수동: {people}}}',
  'savings.periods': '{by, select, day {일별} other {주별(월요일 시작)}} 절감한 레플리카 시간(수동 중지 포함)',
  'savings.period': '{label}: {hours}',
  'savings.date': '{date}{by, select, week { 주} other {}}',
  'savings.chart': '{by, select, day {일별} other {주별}} 절감한 레플리카 시간',
  'savings.across': '{by, select, day {날짜} other {주(월요일 시작)}}',
  'savings.unit': '레플리카 시간',
  'savings.cause': '{cause, select, schedule {스케줄} idle {유휴 중지} other {수동 중지}}',
  'savings.moreEndpoints': '그 밖에 엔드포인트 {count, plural, other {#개}}',
  'savings.unpriced': '가격 없음: {hours}',
  'savings.unpricedWhy':
    '시간으로만 계산합니다. 가격은 lamplighter.yaml이나 플랫폼의 가격 목록에서 가져옵니다. 예약 GPU는 중지해도 비용이 같아 가격이 없습니다.',
  'savings.unseen': '중지 {count, plural, other {#회}}는 실제 절감이 더 클 수 있습니다',
  'savings.unseenWhy': '다음 시작이 Lamplighter를 거치지 않아 확실히 중지되어 있던 시간만 계산했습니다.',
  'savings.counted': '계산 방법: 중지 시간 × 레플리카 수, 중지마다 최대 7일, 10분 단위로 내림.',
  'savings.span': '{field}에는 7d, 4w 같은 기간이나 week, last week, month를 입력해 주세요(입력값: “{word}”).',
  'savings.most': '절감 내역은 최대 90일 전까지 볼 수 있습니다.',

  'prices.none':
    '설정된 가격이 없어 절감 내역을 시간으로만 보여 줍니다. 가격은 lamplighter.yaml의 prices에 설정해 주세요.',
  'prices.known': '가격 {own}개는 정책 파일에서, {listed}개는 플랫폼의 인스턴스 유형 목록에서 가져옵니다.',
} as const
