import { deflateRawSync, inflateRawSync } from 'node:zlib'

/**
 * What requests mostly say, in their order. What is packed refers to it byte by byte: whoever changes a letter of it
 * can read nothing that was packed before.
 */
const usual = Buffer.from(
  [
    '"},"shown":{"title":{"say":"list.title","with":{"total":1,"state":"any"}},"items":[{"text":"","strong":true,',
    '"mark":"stopped","detail":{"say":"endpoint.state","with":{"state":"running","next":"none","idle":"none","word":',
    '"none","known":"all","replicas":2,"up":0,"scaled":"no"}},"more":[{"label":{"say":"action.stop"},"line":"stop "},',
    '{"label":{"say":"action.restart"},"line":"restart "}]}]}"change":{"put":[{"kind":"weekly","endpoint":"","direction":',
    '"up","window":{"days":[0,1,2,3,4],"spans":[{"from":540,"to":1200}]},"zone":"","owner":{"team":"T","user":"U"},',
    '"made":1}]},"means":[{"say":"schedule.up","with":{"name":""}}],"preview":[{"zone":"","lines":[{"say":"preview.day",',
    '"with":{"date":{"day":2},"what":{"say":"preview.span","with":{"want":"down","from":"09:00","to":"20:00"}},',
    '"holiday":"no"}},{"say":"preview.all","with":{"want":"up"}}]}],"occurrence":"","due":17,"group":"","reason":"",',
    '"evidence":"","costs":{"skip":"$","hour":"$","perMinute":0,"currency":"usd","morning":"$","morningAt":17,"until":17},',
    '{"format":2,"id":"","project":"default","kind":"query","kind":"operation","line":"restart ","line":"stop ',
    '","actor":{"team":"T0","user":"U0"},"place":{"channel":"C0"},"via":"button","via":"schedule","via":"typed",',
    '"receivedAt":17,"status":"cancelled","status":"refused","status":"succeeded","notes":[{"id":"","to":{"team":"T",',
    '"user":"U"},"channel":"","says":{"say":""}}],"notes":[],"nextAt":null,"endpoint":{"id":"","name":""},"plan":[],',
    '"plan":[{"says":"stop","call":{"method":"post","path":"/endpoints/{endpoint_id}/stop","params":{"path":',
    '{"endpoint_id":"llm"}}},"goal":"stopped","repeatable":true}],"plan":[{"says":"start","call":{"method":"post","path":',
    '"/endpoints/{endpoint_id}/start","params":{"path":{"endpoint_id":""}}},"goal":"serving","repeatable":true}],',
    '"exposure":"active","exposure":"dormant","requirement":"notice","requirement":"confirmation","requirement":"nothing",',
    '"digest":"","policy":"","ask":{"n":1,"at":17,"asking":{"needed":1,"from":null,"expires":1800000,"remind":600000,',
    '"fallback":null},"rule":{"say":"policy.why","with":{"impact":"disruptive","exposure":"active","from":"default",',
    '"count":0,"by":""}},"why":[[{"say":"endpoint.isNow","with":{"guard":"no","state":"running","known":"all","running":1,',
    '"replicas":1,"scaled":"no"}},""],""],"reminded":0,"expiresAt":17,"remindAt":17},"decision":{"by":{"team":"T",',
    '"user":"U"},"at":17,"place":{"channel":"C"},"yes":true},"startedAt":17,"progress":[],"progress":[{"sends":[{"at":17,',
    '"before":{"at":17,"active":false,"status":"STOPPED","replicas":1,"updatedAt":"2026-11-24T02:57:39.263Z"},"outcome":',
    '{"kind":"answered","at":17,"says":"Endpoint started successfully"}}],"looks":[{"at":17,"active":true,"status":',
    '"RUNNING","replicas":1,"running":1,"updatedAt":"2026-11-24T03:57:54.372Z"}],"done":true}],"ending":{"at":17,"says":',
    '{"say":"end.done","with":{"done":{"say":"stop.done","with":{"name":""}}}},"quote":"Endpoint stopped successfully"}}',
    '"ending":{"at":17,"says":{"say":"end.serving","with":{"done":{"say":"start.done","with":{"name":"","replicas":0}}}},',
    '"quote":"Endpoint started successfully"}}',
  ].join(''),
)

/** An older process reads this as a format that it does not know, and leaves the request to a newer one. */
const head = '{"format":"packed","text":"'

/** The text of a request that is over, in a third of its length: it is kept for months and seldom read. */
export function deflated(text: string): string {
  return `${head}${deflateRawSync(text, { dictionary: usual }).toString('base64url')}"}`
}

/** The text as it was; one that was not packed stays as it is. */
export function inflated(text: string): string {
  if (!text.startsWith(head)) return text
  return inflateRawSync(Buffer.from(text.slice(head.length, -2), 'base64url'), { dictionary: usual }).toString()
}
