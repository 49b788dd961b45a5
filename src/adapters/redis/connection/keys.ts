/** The hash tag of a project: all its keys and queues lie in one slot, so scripts and BullMQ work on a cluster. */
export function tagOf(prefix: string, project: string): string {
  return `{${prefix}:${project}}`
}

/** Where everything of one project lies. */
export type Keys = ReturnType<typeof keysOf>

/** The functions take ids, which come from hashes of ours or from checked patterns, never from people. */
export function keysOf(tag: string) {
  function one(kind: string): (id: string) => string {
    return (id) => `${tag}:${kind}:${id}`
  }
  return {
    request: one('request'),
    presses: one('presses'),
    /** What was found to be tampered with, out of everybody's way. */
    aside: one('aside'),
    lease: one('lease'),
    /** Requests of rules that are shown together, and the message that shows them. */
    group: one('group'),
    press: one('press'),
    reply: one('reply'),
    file: one('file'),
    seal: one('seal'),
    settings: one('settings'),
    /** A call that may still arrive at an endpoint, what was last carried out on it, its last requests, and the one that holds it. */
    late: one('late'),
    done: one('done'),
    recent: one('recent'),
    lock: one('lock'),
    /** Of a channel. The first versions kept something else under its own name. */
    pace: one('paced'),
    /** How much somebody, or a whole project, may still hand in. */
    bucket: one('bucket'),
    /** How many proposals of programs people have been asked about. */
    proposals: `${tag}:proposals`,
    /** Requests by the time they should be looked at. */
    wake: `${tag}:wake`,
    names: `${tag}:names`,
    prices: `${tag}:prices`,
    /** The reconcile state of each endpoint's rules. Its stored name, in the MACs too, is the one that it had at first. */
    reconcileStates: `${tag}:pursuits`,
    /** How each endpoint was used, and what of that is not needed at every look. */
    readings: `${tag}:readings`,
    older: `${tag}:readings:older`,
    hint: `${tag}:hint`,
    /** Digests of values that were once sealed. */
    sealed: `${tag}:sealed`,
    /** Operations that are over, by the time they ended. */
    past: `${tag}:past`,
    /** What people have laid down, by its key. */
    records: `${tag}:records`,
    /** Lines of people without any role that the audit has still to tell of. */
    strangers: `${tag}:strangers`,
    /** The chain of everything that was decided and done, where it now begins, and what proves it and the records. */
    audit: `${tag}:audit`,
    beginning: `${tag}:beginning`,
    root: `${tag}:root`,
    /** The head that was last told. */
    anchored: `${tag}:anchored`,
    /** How far each webhook has come, by its name. */
    events: `${tag}:events`,
    /** Processes that live, by ids of their own. */
    processes: `${tag}:processes`,
    /** Written by whoever looks whether anything can be. */
    doctor: `${tag}:doctor`,
    /** There while a worker lives. */
    heartbeat: `${tag}:heartbeat`,
  } as const
}
