import { fileURLToPath } from 'node:url'
import type { NewEndpoint } from '../platform/types.ts'
import type { ChannelOption, PersonOption, UsergroupOption } from '../slack/options.ts'

/** Sample people, one for each thing a person may be. */
export const people: readonly PersonOption[] = [
  { id: 'U0ANA', name: 'ana', realName: 'Ana', title: 'operator', tz: 'Europe/Madrid' },
  { id: 'U0BEN', name: 'ben', realName: 'Ben', title: 'operator, approver', tz: 'Asia/Seoul' },
  { id: 'U0CLEO', name: 'cleo', realName: 'Cleo', title: 'looks only', tz: 'America/New_York' },
  { id: 'U0DORA', name: 'dora', realName: 'Dora', title: 'admin', tz: 'UTC' },
  { id: 'U0GUS', name: 'gus', realName: 'Gus', title: 'guest', tz: 'UTC', guest: 'single' },
]

const everybody = people.map(({ id }) => id)

export const channels: readonly ChannelOption[] = [
  { id: 'C0GPU', name: 'gpu', topic: 'Endpoints: who starts and stops what', members: everybody },
  { id: 'C0OPS', name: 'ops', topic: 'Outcomes without another place', members: everybody },
  { id: 'C0QUIET', name: 'quiet', topic: 'The bot is not in here', members: everybody, botIsMember: false },
]

export const usergroups: readonly UsergroupOption[] = [{ id: 'S0OPS', handle: 'gpu-ops', users: ['U0ANA'] }]

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
  { name: 'embeddings', active: true, replicas: 1, gpu: 'RTX 4090', server: 'tei' },
  { name: 'speech', active: false, replicas: 1, gpu: 'RTX 4070 Super' },
  { name: 'speech-large', active: false, replicas: 2, gpu: 'RTX 4090' },
  { name: 'image-gen', active: true, replicas: 3, gpu: 'RTX PRO 6000', autoscaled: true, server: 'web' },
]

const schema = fileURLToPath(new URL('../../../generated/lamplighter.schema.json', import.meta.url))

export const policy = `# yaml-language-server: $schema=${schema}
operations_channel: C0OPS
projects:
  - name: default
    base_url_env: PLATFORM_BASE_URL
    api_key_env: PLATFORM_API_KEY
    channels: ["*"]
    roles:
      viewer: [everyone]
      operator: [group:S0OPS, user:U0BEN]
      approver: [user:U0BEN]
      admin: [user:U0DORA]
`
