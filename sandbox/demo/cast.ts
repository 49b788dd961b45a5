import { fileURLToPath } from 'node:url'
import type { NewEndpoint } from '../platform/types.ts'
import type { ChannelOption, PersonOption, UsergroupOption } from '../slack/options.ts'

/**
 * Sample people: one for each role, a second approver because some endpoints need two approvals, and a reader of
 * Korean. Those in the tour share a time zone, so that the clock on the page stays the same.
 */
export const people: readonly PersonOption[] = [
  { id: 'U0ANA', name: 'ana', realName: 'Ana', title: 'operator', tz: 'Europe/Madrid' },
  { id: 'U0BEN', name: 'ben', realName: 'Ben', title: 'operator, approver', tz: 'Europe/Madrid' },
  { id: 'U0EVA', name: 'eva', realName: 'Eva', title: 'operator, approver', tz: 'Europe/Madrid' },
  { id: 'U0JIN', name: 'jin', realName: '진', title: 'operator', tz: 'Asia/Seoul', locale: 'ko-KR' },
  { id: 'U0CLEO', name: 'cleo', realName: 'Cleo', title: 'viewer', tz: 'America/New_York' },
  { id: 'U0DORA', name: 'dora', realName: 'Dora', title: 'admin', tz: 'UTC' },
  { id: 'U0GUS', name: 'gus', realName: 'Gus', title: 'guest', tz: 'UTC', guest: 'single' },
]

const everybody = people.map(({ id }) => id)

export const channels: readonly ChannelOption[] = [
  { id: 'C0OPS', name: 'ops', topic: 'Starts and stops of endpoints', members: everybody },
  { id: 'C0GPU', name: 'gpu', topic: 'Another channel of the same project', members: everybody },
  { id: 'C0QUIET', name: 'quiet', topic: 'Try /invite @Lamplighter here', members: everybody, botIsMember: false },
]

export const usergroups: readonly UsergroupOption[] = [
  { id: 'S0OPS', handle: 'gpu-ops', users: ['U0ANA', 'U0JIN'] },
  { id: 'S0LEADS', handle: 'gpu-leads', users: ['U0BEN', 'U0EVA'] },
]

/** Servers of several families: used, idle, stopped, autoscaled by the platform, and protected by the policy. */
export const endpoints: readonly NewEndpoint[] = [
  {
    name: 'chat-llm',
    active: true,
    replicas: 2,
    gpu: 'RTX 5090',
    tags: ['prod'],
    server: 'vllm',
    traffic: { running: 2, perMinute: 30 },
  },
  { name: 'code-llm', active: true, replicas: 3, gpu: 'RTX 4090', server: 'sglang' },
  {
    name: 'embeddings',
    active: true,
    replicas: 2,
    gpu: 'RTX 4090',
    server: 'vllm',
    traffic: { running: 1, perMinute: 30 },
  },
  { name: 'rerank', active: true, replicas: 1, gpu: 'RTX 4070 Super', server: 'tei' },
  { name: 'image-gen', active: true, replicas: 3, gpu: 'RTX PRO 6000', autoscaled: true, server: 'web' },
  { name: 'speech', active: false, replicas: 1, gpu: 'RTX 4070 Super', server: 'triton' },
  { name: 'speech-large', active: false, replicas: 2, gpu: 'RTX 4090', server: 'llamacpp' },
]

/** The platform's list of instance types, KRW per hour. The policy has its own prices, in another currency. */
export const prices = { 'RTX 4070 Super': 350, 'RTX 4090': 1_050, 'RTX 5090': 1_550, 'RTX PRO 6000': 3_400 }

export const zone = 'Europe/Madrid'

const schema = fileURLToPath(new URL('../../generated/lamplighter.schema.json', import.meta.url))

/** The notice is two daytime strides of the demo's clock, so that a person who skips a week is warned in time. */
export const policy = `# yaml-language-server: $schema=${schema}
operations_channel: C0OPS
projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: ["*"]
    roles:
      viewer: [everyone]
      operator: [group:S0OPS, group:S0LEADS]
      approver: [group:S0LEADS]
      admin: [user:U0DORA]
    endpoints:
      - match: ["tag:prod"]
        protected: true
        approvals: { needed: 2 }
    tokens: [group:S0OPS, group:S0LEADS]
    workflows: [group:S0OPS, group:S0LEADS]
    schedules: { zone: ${zone}, notice: 1h }
    signals: { allow_private: true }
    prices:
      currency: USD
      per_hour: { "RTX 4070 Super": 0.25, "RTX 4090": 0.75, "RTX 5090": 1.10, "RTX PRO 6000": 2.40 }
`
