import { authMethods } from './auth.ts'
import type { Methods } from './call.ts'
import { chatMethods } from './chat.ts'
import { conversationMethods } from './conversations.ts'
import { fileMethods } from './files.ts'
import { functionMethods } from './functions.ts'
import { userMethods } from './users.ts'
import { viewMethods } from './views.ts'

/** Every method that this Slack knows; any other is `unknown_method`. */
export const methods: Methods = {
  ...authMethods,
  ...chatMethods,
  ...conversationMethods,
  ...userMethods,
  ...fileMethods,
  ...functionMethods,
  ...viewMethods,
}
