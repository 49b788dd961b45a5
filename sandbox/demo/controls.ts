import type { PlannedFault } from '../platform/faults.ts'
import type { EndpointView, PlatformSandbox } from '../platform/types.ts'
import type { Control } from '../slack/options.ts'

interface Levers {
  readonly platform: PlatformSandbox
  readonly killWorker: () => Promise<void>
}

/** Returns the buttons beside the page that act on the world outside the product. */
export function controlsFor({ platform, killWorker }: Levers): readonly Control[] {
  const { faults } = platform
  return [
    ...platform.endpoints().map(({ id, name }) => ({
      group: 'Traffic',
      label: name,
      isOn: () => isUsed(platform, id),
      run: () => switched(platform, id),
    })),
    ...platform.endpoints().map(({ id, name }) => ({
      group: 'Outside changes',
      label: `${name} runs`,
      isOn: () => viewOf(platform, id)?.active === true,
      run: () => flipped(platform, id),
    })),
    failure('Refuse the next start', 'The platform will answer the next start with 500: not enough balance.', () => {
      const body = { detail: 'Not enough balance to start the endpoint' }
      return [faults.add('startEndpoint', { kind: 'answer', status: 500, body }, 1)]
    }),
    failure(
      'Lose the answer to the next stop',
      'The next stop will take effect, but the connection will drop before the answer.',
      () => [faults.add('stopEndpoint', { kind: 'drop-after' }, 1)],
    ),
    failure(
      'Let the next stop or start hang',
      'The next stop and the next start will get no answer and have no effect.',
      () => [faults.add('stopEndpoint', { kind: 'hang' }, 1), faults.add('startEndpoint', { kind: 'hang' }, 1)],
    ),
    failure('Refuse the API key', 'The platform answers every call with 401 until you press this again.', () => [
      faults.add('*', { kind: 'answer', status: 401, body: { detail: 'Invalid API key' } }),
    ]),
    {
      group: 'Failures',
      label: 'Kill the worker',
      run: async () => {
        await killWorker()
        return undefined
      },
    },
  ]
}

/** A switch that is on until its faults have struck, or it is pressed again. */
function failure(label: string, said: string, plan: () => readonly PlannedFault[]): Control {
  let planned: readonly PlannedFault[] = []
  const isOn = () => planned.some((one) => one.isLeft())
  function run(): string {
    if (isOn()) {
      for (const one of planned) one.clear()
      return 'No more calls will fail because of this.'
    }
    planned = plan()
    return said
  }
  return { group: 'Failures', label, isOn, run }
}

function viewOf(platform: PlatformSandbox, id: string): EndpointView | undefined {
  return platform.endpoints().find((endpoint) => endpoint.id === id)
}

/** Changes the endpoint as a person at the console would, regardless of Lamplighter's rules. */
function flipped(platform: PlatformSandbox, id: string): string {
  const one = viewOf(platform, id)
  if (one === undefined) return 'This endpoint is gone.'
  platform.console[one.active ? 'stop' : 'start'](id)
  return `${one.name} was ${one.active ? 'stopped' : 'started'} at the console, bypassing Lamplighter.`
}

/** Enough traffic that every read finds the endpoint busy. */
const some = { running: 2, waiting: 0, perMinute: 30 }

function isUsed(platform: PlatformSandbox, id: string): boolean {
  const { traffic } = viewOf(platform, id) ?? {}
  return traffic !== undefined && (traffic.running > 0 || traffic.perMinute > 0)
}

function switched(platform: PlatformSandbox, id: string): string {
  const one = viewOf(platform, id)
  if (one === undefined) return 'This endpoint is gone.'
  if (isUsed(platform, id)) {
    platform.traffic(id, { running: 0, waiting: 0, perMinute: 0 })
    return `${one.name} gets no more requests.`
  }
  platform.traffic(id, some)
  return `${one.name} gets ${some.perMinute} requests a minute${one.active ? '' : ' once it’s running'}.`
}
