/** Who a role is given to, as the policy file names them. */
export type Member =
  | { readonly kind: 'everyone' }
  | { readonly kind: 'user' | 'group' | 'channel'; readonly id: string }

export const roleNames = ['viewer', 'operator', 'approver', 'admin'] as const
export type Role = (typeof roleNames)[number]
export type Roles = Readonly<Record<Role, readonly Member[]>>
