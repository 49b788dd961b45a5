import { defineFamily, isProbePath, pathOf } from './define.ts'

/** Ray Serve, by doc/source/serve/monitoring.md. It counts probes through the proxy too: their routes do not count. */
export const ray = defineFamily({
  title: 'Ray Serve',
  prefix: 'ray_serve',
  open: [
    'num_ongoing_http_requests',
    'replica_processing_queries',
    'deployment_queued_queries',
    'num_ongoing_requests_at_replicas',
    'autoscaling_total_requests',
  ],
  requests: ['num_http_requests'],
  work: ['deployment_request_counter', 'handle_request_counter'],
  counts: (labels) => !isProbePath(pathOf(labels) ?? ''),
  logs: true,
})
