import type { EndpointView, PlatformSandbox } from '../platform/types.ts'
import type { Control } from '../slack/options.ts'

interface Levers {
  readonly platform: PlatformSandbox
  readonly killWorker: () => Promise<void>
}

/** Returns the buttons beside the page that act on the world outside the product. */
export function controlsFor({ platform, killWorker }: Levers): readonly Control[] {
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
    {
      group: 'Failures',
      label: 'Refuse the next start',
      run: () => {
        const body = { detail: 'Not enough balance to start the endpoint' }
        platform.faults.add('startEndpoint', { kind: 'answer', status: 500, body }, 1)
        return 'The platform will answer the next start with 500: not enough balance.'
      },
    },
    {
      group: 'Failures',
      label: 'Lose the answer to the next stop',
      run: () => {
        platform.faults.add('stopEndpoint', { kind: 'drop-after' }, 1)
        return 'The next stop will take effect, but the connection will drop before the answer.'
      },
    },
    {
      group: 'Failures',
      label: 'Let the next stop or start hang',
      run: () => {
        for (const operation of ['stopEndpoint', 'startEndpoint'] as const)
          platform.faults.add(operation, { kind: 'hang' }, 1)
        return 'The next stop and the next start will get no answer and have no effect.'
      },
    },
    {
      group: 'Failures',
      label: 'Refuse the API key',
      run: () => {
        platform.faults.add('*', { kind: 'answer', status: 401, body: { detail: 'Invalid API key' } })
        return 'The platform answers every call with 401 until you end all failures.'
      },
    },
    {
      group: 'Failures',
      label: 'End all failures',
      run: () => {
        platform.faults.clear()
        return 'No more calls will fail.'
      },
    },
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
