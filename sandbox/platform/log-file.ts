/** The log of one replica as the platform keeps it: each line is a JSON object. */
export interface LogFile {
  readonly nodeId: string
  readonly replicaId: string
  readonly filename: string
  /** ms since 1970. */
  readonly startedAt: number
  endedAt: number | null
  readonly lines: string[]
}

/** Older lines are dropped, so that a demo left running does not grow. */
const mostLines = 50_000

/** `at` in ms since 1970. */
export function writeLine(file: LogFile, at: number, source: 'stdout' | 'stderr', log: string): void {
  if (file.lines.length >= mostLines) file.lines.shift()
  file.lines.push(JSON.stringify({ source, log, timestamp: new Date(at).toISOString() }))
}

export function newLogFile(endpointId: string, name: string, replicaId: string, nodeId: string, at: number): LogFile {
  const day = new Date(at).toISOString().slice(0, 10).replaceAll('-', '')
  const filename = `org-sandbox/proj-sandbox/${endpointId}.${replicaId}/container/${name}-${replicaId}-${day}.log`
  return { nodeId, replicaId, filename, startedAt: at, endedAt: null, lines: [] }
}
