import type { paths } from '../../../generated/api.ts'
import { at, call, startingAgain, stopping } from '../../core/commands/call.ts'
import { defineOperation, type Inverse, type Undoing } from '../../core/commands/define.ts'
import {
  clearable,
  count,
  endpointName,
  optional,
  path,
  reasonText,
  secrets,
  text,
  type Values,
} from '../../core/commands/fields.ts'
import { defined } from '../../core/model/defined.ts'
import type { Settings } from '../../core/model/endpoint.ts'
import type { FieldValues } from '../../core/model/request.ts'
import { type Sentence, say } from '../../core/model/words.ts'

type Body = paths['/endpoints/{endpoint_id}']['patch']['requestBody']['content']['application/json']

/** Seconds. The platform sets no upper bound; ours is a day. */
const seconds = [1, 86_400] as const

const fields = {
  endpoint: endpointName(),
  port: clearable(count('port', 'port', [1, 65_535])),
  health: clearable(path('health', 'health')),
  healthTimeout: clearable(count('healthTimeout', 'health_timeout', seconds)),
  startTimeout: clearable(count('startTimeout', 'start_timeout', seconds)),
  metrics: clearable(path('metrics', 'metrics')),
  command: clearable(text('startCommand', 'command', 500)),
  env: clearable(secrets('env', 'env')),
  because: optional(reasonText()),
}

const settingOf = {
  port: 'container_port',
  health: 'container_health_check_path',
  healthTimeout: 'container_health_check_timeout',
  startTimeout: 'health_check_timeout',
  metrics: 'container_metric_path',
  command: 'container_start_command',
} as const satisfies Partial<Record<keyof typeof fields, keyof Settings>>

export const patch = defineOperation({
  name: 'patch',
  also: ['설정'],
  hints: 'env,port,settings,config,환경,포트',
  examples: ['patch my-llm port=8080 health=/healthz', 'patch my-llm metrics= reason="there are none"'],
  impact: ({ command, env }) => (command === undefined && env === undefined ? 'disruptive' : 'destructive'),
  fields,
  nonsense: (values) =>
    Object.keys(bodyOf(values)).length === 0 && {
      says: say('endpoint.unchanged'),
      example: 'patch my-llm port=8080 health=/healthz',
      field: 'port',
    },
  unless: () => false,
  current: ({ settings, endpoint: { name } }) => {
    // The platform returns settings only when they are changed.
    if (settings === null) return { now: say('patch.unknown', { name }) }
    const known = Object.entries(settingOf).map(([field, setting]) => [field, settings[setting]] as const)
    const all = [...known, ['env', settings.env_keys?.join(', ')] as const]
    return { beside: Object.fromEntries(all.map(([field, value]) => [field, nowText(value)])) }
  },
  steps: (values, endpoint) => {
    const settings = call('patch', '/endpoints/{endpoint_id}', { params: at(endpoint), body: bodyOf(values) })
    const outcome = { goal: 'answered', repeatable: false, needs: 'stopped' } as const
    const change = { says: 'change settings', call: settings, ...outcome }
    return endpoint.active === false ? [change] : [stopping(endpoint), change, ...startingAgain(endpoint)]
  },
  inverse: settingsBack,
  phrase: (values) => ({ key: 'patch', with: { settings: settingsOf(Object.entries(bodyOf(values)), true) } }),
})

function nowText(value: string | number | null = null): Sentence {
  return value === null || value === '' ? say('form.notSet') : say('form.now', { value: `${value}` })
}

function settingsBack({ request: { endpoint, before }, values, write }: Undoing<Values<typeof fields>>): Inverse {
  if (values.env !== undefined) return { why: say('endpoint.envUnknown') }
  if (before === undefined) return { why: say('endpoint.settingsUnknown') }
  const given: FieldValues = values
  const changed = Object.entries(settingOf).filter(([field]) => given[field] !== undefined)
  const back = Object.fromEntries(changed.map(([field, setting]) => [field, before[setting]]))
  return { line: write('patch', { endpoint: endpoint?.id, ...back }) }
}

/** Null removes a value; an absent field keeps it. The call fills in the values of environment variables. */
function bodyOf(values: Values<typeof fields>): Body {
  const { env } = values
  return defined({
    container_port: values.port,
    container_health_check_path: values.health,
    container_health_check_timeout: values.healthTimeout,
    health_check_timeout: values.startTimeout,
    container_metric_path: values.metrics,
    container_start_command: values.command,
    container_env_vars: env == null ? env : env.split(',').map((key) => ({ key, value: '' })),
  })
}

type Setting = Body[keyof Body] | boolean

function shown(value: NonNullable<Setting>): string {
  return Array.isArray(value) ? value.map(({ key }) => key).join(', ') : String(value)
}

/** "port 9000 and start command none". Settings have the platform's names; `isNew`: they are still to be made. */
export function settingsOf(settings: readonly (readonly [string, Setting | undefined])[], isNew = false) {
  return {
    all: settings.map(([setting, value]) => {
      const replaces = isNew && setting === 'container_env_vars'
      if (value === null || value === undefined || value === '')
        return say(replaces ? 'patch.removesAll' : 'patch.setting', { setting, how: 'none', value: '' })
      if (replaces) return say('patch.replacesAll', { keys: shown(value) })
      return say('patch.setting', { setting, how: 'set', value: shown(value) })
    }),
  }
}
