import type { Role } from './roles.ts'

/** Members as the policy file writes them, perhaps with a comment behind each. */
type Given = readonly (readonly [role: Exclude<Role, 'viewer'>, members: readonly string[]])[]

export const starterProject = 'default'

/** The lines of a policy file to begin with: everybody may look, and these people may do more. */
export function starterPolicy(given: Given, channel?: string): readonly string[] {
  return [
    ...(channel === undefined ? [] : [`operations_channel: ${channel}`]),
    'projects:',
    `  - name: ${starterProject}`,
    '    base_url_env: PLATFORM_BASE_URL',
    '    api_key_env: PLATFORM_API_KEY',
    '    channels: ["*"]',
    '    roles:',
    '      viewer: [everyone]',
    ...given.flatMap(([role, members]) =>
      members.length === 0
        ? [`      ${role}: []`]
        : [`      ${role}:`, ...members.map((member) => `        - ${member}`)],
    ),
  ]
}
