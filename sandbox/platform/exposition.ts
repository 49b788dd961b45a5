/** One metric as a server exposes it: its series by their labels, as written inside the braces. */
export interface Metric {
  readonly name: string
  readonly type: 'gauge' | 'counter' | 'histogram'
  readonly help: string
  readonly series: readonly (readonly [labels: string, value: number])[]
}

export function metric(type: Metric['type'], name: string, help: string, value: number, labels = ''): Metric {
  return { name, type, help, series: [[labels, value]] }
}

/** Writes metrics in the Prometheus text format. `float`: whole numbers as 1.0, as Python clients write them. */
export function exposition(metrics: readonly Metric[], float: boolean): string {
  return `${metrics.flatMap((one) => lines(one, float)).join('\n')}\n`
}

/** Quotes and escapes the value of a label. */
export function quoted(text: string): string {
  return `"${text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`
}

function lines({ name, type, help, series }: Metric, float: boolean): string[] {
  const samples = series.flatMap(([labels, value]) => {
    const written = float && Number.isInteger(value) ? `${value}.0` : String(value)
    if (type !== 'histogram') return [`${name}${braced(labels)} ${written}`]
    const bucket = braced(labels === '' ? 'le="+Inf"' : `le="+Inf",${labels}`)
    return [`${name}_bucket${bucket} ${written}`, `${name}_count${braced(labels)} ${written}`]
  })
  return [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...samples]
}

function braced(labels: string): string {
  return labels === '' ? '' : `{${labels}}`
}

/** Returns the start time of the process, as Python clients expose it. */
export function started(processAt: number): Metric {
  return metric('gauge', 'process_start_time_seconds', 'When the process began.', processAt / 1000)
}

/** Formats an instant as logs write it, in UTC. */
export function logTime(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ')
}
