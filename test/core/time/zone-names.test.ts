import { expect, test } from 'vitest'
import { placeInKorean, readZone } from '../../../src/core/time/zone.ts'
import { english } from '../../support/words.ts'

test.each([
  ['Asia/Seoul', 'Asia/Seoul'],
  ['asia/seoul', 'Asia/Seoul'],
  ['America/Port-au-Prince', 'America/Port-au-Prince'],
  ['America/Argentina/Buenos_Aires', 'America/Argentina/Buenos_Aires'],
  ['US/Pacific', 'US/Pacific'],
  ['UTC', 'UTC'],
  ['utc', 'UTC'],
])('%s is the zone %s', (typed, zone) => {
  expect(readZone(typed)).toEqual({ zone })
})

test.each([
  ['KST', 'KST is an abbreviation. Write the place, for example Asia/Seoul.'],
  ['kst', 'KST is an abbreviation. Write the place, for example Asia/Seoul.'],
  ['EST', 'EST is an abbreviation. Write the place, for example America/New_York or America/Panama.'],
  ['BST', 'BST is an abbreviation. Write the place, for example Europe/London or Asia/Dhaka.'],
  ['IST', 'IST is an abbreviation. Write the place, for example Asia/Kolkata, Europe/Dublin, or Asia/Jerusalem.'],
  ['GMT+9', 'GMT+9 is an offset without summer time: write the place, for example Asia/Seoul, or UTC.'],
  ['+09:00', '+09:00 is an offset without summer time: write the place, for example Asia/Seoul, or UTC.'],
  ['Etc/GMT+9', 'Etc/GMT+9 is an offset without summer time: write the place, for example Asia/Seoul, or UTC.'],
  ['Seoul', 'Write the time zone of Seoul as Asia/Seoul.'],
  ['new_york', 'Write the time zone of new_york as America/New_York.'],
  ['Asia/Soul', 'Asia/Soul isn’t a time zone. Time zones look like Asia/Seoul, Europe/Berlin or UTC.'],
  ['Mars', 'Mars isn’t a time zone. Time zones look like Asia/Seoul, Europe/Berlin or UTC.'],
])('%s is refused with a suggestion', (typed, wrong) => {
  const read = readZone(typed)
  expect('wrong' in read && english(read.wrong)).toBe(wrong)
})

test('every zone of the runtime is accepted', () => {
  for (const zone of Intl.supportedValuesOf('timeZone')) expect(readZone(zone)).toEqual({ zone })
})

test.each([
  ['Seoul', '한국'],
  ['Tokyo', '일본'],
  ['Los Angeles', '로스앤젤레스'],
  ['UTC', 'UTC'],
  ['Nowhere', 'Nowhere'],
])('the place %s is called %s in Korean', (place, called) => {
  expect(placeInKorean(place)).toBe(called)
})
