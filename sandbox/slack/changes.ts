import type { UsergroupOption } from './options.ts'
import type { Person, Workspace } from './workspace.ts'

/** What happens to a workspace without the app: people leave, groups are disabled. */
export interface Changes {
  person(id: string, change: Partial<Omit<Person, 'id'>>): void
  usergroup(id: string, change: Partial<Omit<UsergroupOption, 'id'>>): void
}

export function createChanges(workspace: Workspace): Changes {
  return {
    person: (id, change) => put(workspace.people, id, change),
    usergroup: (id, change) => put(workspace.usergroups, id, change),
  }
}

function put<Row>(table: Map<string, Row>, id: string, change: Partial<Row>): void {
  const row = table.get(id)
  if (!row) throw new Error(`There is nothing with the id ${id} in the sandbox.`)
  table.set(id, { ...row, ...change })
}
