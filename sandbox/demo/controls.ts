import type { EndpointView, PlatformSandbox } from '../platform/types.ts'
import type { Control } from '../slack/options.ts'

interface Levers {
  readonly platform: PlatformSandbox
  readonly restartWorker: () => Promise<void>
}

/** What the world outside can do, as buttons beside the page. */
export function controlsFor({ platform, restartWorker }: Levers): readonly Control[] {
  return [
    ...platform.endpoints().map(({ id, name }) => ({
      group: 'Requests come to',
      label: name,
      isOn: () => isUsed(platform, id),
      run: () => switched(platform, id),
    })),
    ...platform.endpoints().map(({ id, name }) => ({
      group: 'At the console',
      label: `${name} is up`,
      isOn: () => viewOf(platform, id)?.active === true,
      run: () => flipped(platform, id),
    })),
    {
      group: 'Platform',
      label: 'The next start answers 500',
      run: () => {
        const body = { detail: 'Not enough balance to start the endpoint' }
        platform.addFault({ operation: 'startEndpoint', fault: { kind: 'answer', status: 500, body }, times: 1 })
        return 'The next start will be answered with 500: not enough balance.'
      },
    },
    {
      group: 'Platform',
      label: 'The next stop acts, but its answer is lost',
      run: () => {
        platform.addFault({ operation: 'stopEndpoint', fault: { kind: 'drop-after' }, times: 1 })
        return 'The next stop will take effect, and the connection will drop before its answer.'
      },
    },
    {
      group: 'Platform',
      label: 'The next stop or start hangs',
      run: () => {
        for (const operation of ['stopEndpoint', 'startEndpoint'] as const)
          platform.addFault({ operation, fault: { kind: 'hang' }, times: 1 })
        return 'The next stop and the next start will never be answered, and will not take effect.'
      },
    },
    {
      group: 'Platform',
      label: 'The key is refused',
      run: () => {
        platform.addFault({
          operation: '*',
          fault: { kind: 'answer', status: 401, body: { detail: 'Invalid API key' } },
        })
        return 'Every call is answered with 401 until all is well again.'
      },
    },
    {
      group: 'Platform',
      label: 'All is well again',
      run: () => {
        platform.clearFaults()
        return 'Faults that had not struck yet are gone.'
      },
    },
    {
      group: 'Lamplighter',
      label: 'Kill the worker and start another',
      run: async () => {
        await restartWorker()
        return 'The worker was killed with SIGKILL; a new one is running.'
      },
    },
  ]
}

function viewOf(platform: PlatformSandbox, id: string): EndpointView | undefined {
  return platform.endpoints().find((endpoint) => endpoint.id === id)
}

/** As somebody at the console would do it, whatever Lamplighter has laid down. */
function flipped(platform: PlatformSandbox, id: string): string {
  const one = viewOf(platform, id)
  if (one === undefined) return 'This endpoint is gone.'
  platform.console[one.active ? 'stop' : 'start'](id)
  return `${one.name} was ${one.active ? 'stopped' : 'started'} at the console, past Lamplighter.`
}

/** Traffic that people can watch: enough to be busy at every look. */
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
    return `Nobody uses ${one.name} any more.`
  }
  platform.traffic(id, some)
  return `${some.perMinute} requests a minute come to ${one.name}${one.active ? '' : ', once it runs'}.`
}
