/** One metric as a server shows it: its series by their labels, written as they stand in the braces. */
export interface Metric {
  readonly name: string
  readonly type: 'gauge' | 'counter' | 'histogram'
  readonly help: string
  readonly series: readonly (readonly [labels: string, value: number])[]
}

/** A metric of one series. */
export function metric(type: Metric['type'], name: string, help: string, value: number, labels = ''): Metric {
  return { name, type, help, series: [[labels, value]] }
}

/** Metrics in the Prometheus text format. `float`: numbers as clients in Python write them. */
export function exposition(metrics: readonly Metric[], float: boolean): string {
  return `${metrics.flatMap((one) => lines(one, float)).join('\n')}\n`
}

/** A text as it stands in quotes. */
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

/** When the process began, as clients in Python show it. */
export function started(processAt: number): Metric {
  return metric('gauge', 'process_start_time_seconds', 'When the process began.', processAt / 1000)
}

/** The time of day as logs have it, in UTC. */
export function logTime(at: number): string {
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ')
}
