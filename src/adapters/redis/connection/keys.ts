/** The hash tag of a project: all its keys and queues lie in one slot, so scripts and BullMQ work on a cluster. */
export function tagOf(prefix: string, project: string): string {
  return `{${prefix}:${project}}`
}

/** Where everything of one project lies. Ids come from hashes of ours or from checked patterns, never from people. */
export interface Keys {
  request(id: string): string
  history(id: string): string
  presses(id: string): string
  /** What was found to be tampered with, out of everybody's way. */
  aside(id: string): string
  lease(id: string): string
  press(id: string): string
  reply(id: string): string
  file(id: string): string
  seal(id: string): string
  settings(endpoint: string): string
  /** A call that may still arrive. */
  late(endpoint: string): string
  done(endpoint: string): string
  lock(endpoint: string): string
  pace(channel: string): string
  /** How much somebody, or a whole project, may still hand in. */
  bucket(of: string): string
  /** Requests by the time they should be looked at. */
  readonly wake: string
  readonly names: string
  /** What the platform says that things cost. */
  readonly prices: string
  /** How far the pursuit of each endpoint's rules has come. */
  readonly pursuits: string
  /** How each endpoint was used. */
  readonly readings: string
  /** And what of that nobody needs at every look. */
  readonly older: string
  readonly hint: string
  /** Digests of values that were once sealed. */
  readonly sealed: string
  /** Operations that are over, by the time they ended. */
  readonly past: string
  /** What people have laid down, by its key. */
  readonly records: string
  /** Lines of people without any role that the audit has still to tell of. */
  readonly strangers: string
  /** The chain of everything that was decided and done, and where it now begins. */
  readonly audit: string
  readonly beginning: string
  /** What proves both. */
  readonly root: string
  /** The head that was last told. */
  readonly anchored: string
  /** Processes that live, by ids of their own. */
  readonly processes: string
  /** Written by whoever looks whether anything can be. */
  readonly doctor: string
  /** There while a worker lives. */
  readonly heartbeat: string
}

export function keysOf(tag: string): Keys {
  function one(kind: string): (id: string) => string {
    return (id) => `${tag}:${kind}:${id}`
  }
  return {
    request: one('request'),
    history: one('history'),
    presses: one('presses'),
    aside: one('aside'),
    lease: one('lease'),
    press: one('press'),
    reply: one('reply'),
    file: one('file'),
    seal: one('seal'),
    settings: one('settings'),
    late: one('late'),
    done: one('done'),
    lock: one('lock'),
    pace: one('pace'),
    bucket: one('bucket'),
    wake: `${tag}:wake`,
    names: `${tag}:names`,
    prices: `${tag}:prices`,
    pursuits: `${tag}:pursuits`,
    readings: `${tag}:readings`,
    older: `${tag}:readings:older`,
    hint: `${tag}:hint`,
    sealed: `${tag}:sealed`,
    past: `${tag}:past`,
    records: `${tag}:records`,
    strangers: `${tag}:strangers`,
    audit: `${tag}:audit`,
    beginning: `${tag}:beginning`,
    root: `${tag}:root`,
    anchored: `${tag}:anchored`,
    processes: `${tag}:processes`,
    doctor: `${tag}:doctor`,
    heartbeat: `${tag}:heartbeat`,
  }
}
