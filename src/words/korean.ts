import type { SentenceId } from './english.ts'
import safeguards from './ko/approvals-and-safeguards.json' with { type: 'json' }
import cards from './ko/cards.json' with { type: 'json' }
import commands from './ko/commands.json' with { type: 'json' }
import doctor from './ko/doctor.json' with { type: 'json' }
import endpoints from './ko/endpoints.json' with { type: 'json' }
import forms from './ko/forms.json' with { type: 'json' }
import history from './ko/history.json' with { type: 'json' }
import idle from './ko/idle.json' with { type: 'json' }
import phrases from './ko/phrases.json' with { type: 'json' }
import programs from './ko/programs.json' with { type: 'json' }
import requests from './ko/requests.json' with { type: 'json' }
import schedules from './ko/schedules.json' with { type: 'json' }
import steps from './ko/steps.json' with { type: 'json' }

/**
 * The same sentences in Korean, by the same ids.
 *
 * They sound like colleagues writing to each other at work: 합니다, and 해 주세요 for a request. Commands, roles and the
 * words of the grammar stay as they are typed. A particle after a value is written as a pair, `{name}을(를)`; a person's
 * name is followed by 님.
 *
 * In `phrases`, `ask` and `press` end with a noun that takes 하다, so that a question can say 할까요; `<q>…</q>` marks words
 * that only a question has; `done` is a sentence without its full stop. Requests and events are counted with 건, lines with
 * 줄, and things with 개.
 *
 * One word for each thing:
 * - endpoint 엔드포인트, replica 레플리카, settings 설정, environment variables 환경 변수
 * - running 실행 중, stopped 중지됨, start 시작, stop 중지, restart 재시작, scale 조정, patch 설정 변경
 * - request 요청, approve 승인, decline 거절, confirm 확인, cancel 취소, undo 되돌리기, reason 사유
 * - schedule 스케줄, rule 규칙, automation 자동화, pause 일시 중지, resume 재개, idle 유휴, idle stop 유휴 중지
 * - freeze 모든 자동화 일시 중지, lockdown 변경 차단, take over 넘겨받기, type 입력
 * - protect 보호, owner 소유자, expire 만료, delegate 위임, dry run 모의 실행, break-glass 긴급 실행
 * - worker 워커, storage 저장소, policy 정책, audit trail 감사 로그, metrics 메트릭, secret 시크릿, reminder 리마인더
 */
export const korean: Readonly<Record<SentenceId, string>> = {
  ...safeguards,
  ...cards,
  ...commands,
  ...doctor,
  ...endpoints,
  ...forms,
  ...history,
  ...idle,
  ...phrases,
  ...programs,
  ...requests,
  ...schedules,
  ...steps,
}
