/** Returns a project's hash tag: all its keys and queues lie in one slot, so scripts and BullMQ work on a cluster. */
export function tagOf(prefix: string, project: string): string {
  return `{${prefix}:${project}}`
}

export type Keys = ReturnType<typeof keysOf>

/** The functions take ids, which come from hashes of ours or from checked patterns, never from people. */
export function keysOf(tag: string) {
  function one(kind: string): (id: string) => string {
    return (id) => `${tag}:${kind}:${id}`
  }
  return {
    request: one('request'),
    presses: one('presses'),
    /** Requests that failed their check, set aside. */
    aside: one('aside'),
    lease: one('lease'),
    /** Requests of rules that share a message, and that message. */
    group: one('group'),
    press: one('press'),
    reply: one('reply'),
    file: one('file'),
    seal: one('seal'),
    settings: one('settings'),
    /** Of an endpoint: a call that may still arrive, the last finished operation, its last requests, its holder. */
    late: one('late'),
    done: one('done'),
    recent: one('recent'),
    lock: one('lock'),
    /** Of a channel. The first versions used `pace` for something else. */
    pace: one('paced'),
    /** How much a person or a whole project may still send. */
    bucket: one('bucket'),
    /** Of a person: exists while they are known to have no role. */
    stranger: one('stranger'),
    /** How many proposals by programs people have been asked about. */
    proposals: `${tag}:proposals`,
    /** Requests by the time of their next check. */
    wake: `${tag}:wake`,
    names: `${tag}:names`,
    prices: `${tag}:prices`,
    /** The reconcile state of each endpoint's rules. The key and its MAC label keep the original name. */
    reconcileStates: `${tag}:pursuits`,
    /** How each endpoint was used, and older readings that not every check needs. */
    readings: `${tag}:readings`,
    older: `${tag}:readings:older`,
    hint: `${tag}:hint`,
    /** Digests of values that were once sealed. */
    sealed: `${tag}:sealed`,
    /** Operations that have ended, by the time they ended. */
    past: `${tag}:past`,
    /** Rules, holds and other records, by their keys. */
    records: `${tag}:records`,
    /** Lines of people without a role that the audit has yet to count. */
    strangers: `${tag}:strangers`,
    /** The chain of everything that was decided and done, where it now begins, and the root that proves the rest. */
    audit: `${tag}:audit`,
    beginning: `${tag}:beginning`,
    root: `${tag}:root`,
    /** The head that was last announced. */
    anchored: `${tag}:anchored`,
    /** How far each webhook has come, by its name. */
    events: `${tag}:events`,
    /** Live processes, by their own ids. */
    processes: `${tag}:processes`,
    /** Written to test whether Redis accepts writes. */
    doctor: `${tag}:doctor`,
    /** Exists while a worker is alive. */
    heartbeat: `${tag}:heartbeat`,
    /** Since when bots have stored presses without a break, ms since 1970. Exists while one can. */
    bots: `${tag}:bots`,
  } as const
}
