import { deflateRawSync, inflateRawSync } from 'node:zlib'

/** The usual text of what is packed, commonest parts last. After a change of one letter, nothing packed can be read. */
const usual = Buffer.from(
  [
    '{"format":2,"id":"","project":"default","kind":"operation","line":"start ","actor":{"team":"T0","user":"U0"},"',
    'place":{"channel":"C0"},"via":"typed","receivedAt":17,"status":"succeeded","notes":[],"nextAt":null,"endpoint"',
    ':{"id":"","name":""},"plan":[{"says":"start","call":{"method":"post","path":"/endpoints/{endpoint_id}/start","',
    'params":{"path":{"endpoint_id":""}}},"goal":"serving","repeatable":true}],"exposure":"dormant","requirement":"',
    'nothing","digest":"","policy":"","startedAt":17,"progress":[{"sends":[{"at":17,"before":{"at":17,"active":fals',
    'e,"status":"STOPPED","replicas":1,"updatedAt":"20"},"outcome":{"kind":"answered","at":17,"says":"Endpoint star',
    'ted successfully"}}],"looks":[{"at":17,"active":true,"status":"RUNNING","replicas":1,"running":1,"updatedAt":"',
    '20"}],"done":true}],"ending":{"at":17,"says":{"say":"end.serving","with":{"done":{"say":"start.done","with":{"',
    'name":"","replicas":0}}}},"quote":"Endpoint started successfully"}}{"format":2,"project":"default","policy":""',
    ',"at":17,"what":"running","by":{"team":"T0","user":"U0"},"detail":["start  —",[{"say":"endpoint.isNow","with":',
    '{"guard":"no","state":"stopped","known":"all","running":1,"replicas":1,"scaled":"no"}},""],""],"seen":{"at":17',
    ',"active":false,"status":"STOPPED","replicas":1,"updatedAt":"202"},"request":"","version":2,"line":"start ","a',
    'ctor":{"team":"T0","user":"U0"},"via":"typed","place":{"channel":"C0"},"status":"running","endpoint":{"id":"",',
    '"name":""},"digest":""}{"format":1,"byKey":{"own.1":{"state":"posted","since":17,"channel":"C0","tries":0,"dig',
    'est":""},"ask.1":{"state":"posted","since":17,"channel":"C0","tries":0,"ts":"17","digest":""},"end":{"state":"',
    'posted","since":17,"channel":"C0","tries":0,"ts":"17","digest":"","calmUntil":17}},"detour":0,"restarts":0}{"f',
    'ormat":1,"byKey":{"card":{"state":"posted","since":17,"channel":"C0","tries":0,"ts":"17","digest":""}},"detour',
    '":0,"restarts":0}"detail":[{"say":"request.unchanged"},"what":"refused answer","what":"reached","what":"approv',
    'ed","by":{"team":"T","user":"U"},"for":{"team":"T","user":"U"},"detail":{"say":"history.votes","with":{"count"',
    ':1,"needed":2}},"through":"","change":{"put":[{"format":1,"kind":"once","kind":"hold","kind":"idle","endpoint"',
    ':"","drop":["{"format":2,"project":"default","policy":"","at":17,"what":"awaiting","by":{"team":"T0","user":"U',
    '0"},"detail":["stop  —",[{"say":"endpoint.isNow","with":{"guard":"no","state":"running","known":"all","running',
    '":1,"replicas":1,"scaled":"no"}},""],""],"seen":{"at":17,"active":true,"status":"RUNNING","replicas":1,"runnin',
    'g":1,"updatedAt":"2026-11-24T"},"request":"","version":2,"line":"stop ","actor":{"team":"T0","user":"U0"},"via',
    '":"schedule","via":"typed","place":{"channel":"C0"},"status":"awaiting","endpoint":{"id":"","name":""},"digest',
    '":""}"what":"agreed","by":{"team":"T0","user":"U0"},"request":"","version":3,"status":"running"}{"format":2,"p',
    'roject":"default","policy":"","at":17,"what":"sent","detail":{"say":"ask.step","with":{"what":"serving","count',
    '":0}},"request":"","version":2,"status":"running"}"detail":"Endpoint stopped successfully","detail":[{"say":"e',
    'nd.done","with":{"done":{"say":"stop.done","with":{"name":""}}}},{"say":"seen.stopped"}],"request":"","version',
    '":6,"status":"succeeded"}{"format":2,"project":"default","policy":"","at":17,"what":"answered","detail":"Endpo',
    'int started successfully","request":"","version":3,"status":"running"}{"format":2,"project":"default","policy"',
    ':"","at":17,"what":"succeeded","detail":[{"say":"end.serving","with":{"done":{"say":"start.done","with":{"name',
    '":"","replicas":0}}}},{"say":"seen.up","with":{"details":{"say":"seen.both","with":{"status":"RUNNING","counts',
    '":{"say":"seen.replicas","with":{"running":1,"replicas":1}}}}}}],"request":"","version":4,"status":"succeeded"',
    '}',
  ].join(''),
)

/** An older process reads this as a format that it does not know. */
const packedIn = /^\{"format":"~([\w-]+)"\}$/

/** Buffers for texts of the usual size; by default zlib would clear a quarter of a megabyte each time. */
const room = { dictionary: usual, windowBits: 14, memLevel: 5, chunkSize: 1_024 }
/** More bytes than any text has, because a forged one must not fill the memory. */
const longest = 32 * 1024 * 1024

/** Packs a text to a third of its length. */
export function deflated(text: string): string {
  return `{"format":"~${deflateRawSync(text, room).toString('base64url')}"}`
}

/** Unpacks a text. One that was not packed, or cannot be unpacked, stays as it is. */
export function inflated(stored: string): string {
  const [, packed] = packedIn.exec(stored) ?? []
  if (packed === undefined) return stored
  try {
    return inflateRawSync(Buffer.from(packed, 'base64url'), { dictionary: usual, maxOutputLength: longest }).toString()
  } catch {
    return stored
  }
}
