import type { Answer, Delivery } from './link.ts'
import type { ResponseUrls } from './response-urls.ts'
import type { Workspace } from './workspace.ts'

/** What the people in the sandbox need to act: the workspace and a way to the app. */
export interface Slack {
  readonly workspace: Workspace
  readonly responseUrls: ResponseUrls
  send(delivery: Delivery): Promise<Answer>
}
