import { createCommands } from '../core/commands/commands.ts'
import type { Row } from '../core/commands/define.ts'
import { doctor, explain, help } from '../core/commands/help.ts'
import { whoami } from '../core/commands/permissions.ts'
import { approve, ask, away, back, breakGlass, cancel, decline, undo } from './approvals/commands.ts'
import { list } from './endpoints/list.ts'
import { patch } from './endpoints/patch.ts'
import { restart } from './endpoints/restart.ts'
import { scale } from './endpoints/scale.ts'
import { schedules } from './endpoints/schedules-overview.ts'
import { start } from './endpoints/start.ts'
import { replicas, status } from './endpoints/status.ts'
import { stop } from './endpoints/stop.ts'
import { history } from './history/command.ts'
import { idle } from './idle/command.ts'
import { logs } from './logs/command.ts'
import { token, tokens } from './programs/tokens.ts'
import { freeze, thaw } from './safeguards/freeze.ts'
import { protect, unprotect } from './safeguards/protect.ts'
import { savings } from './savings/command.ts'
import { keep, resume } from './schedules/keep-command.ts'
import { schedule } from './schedules/schedule-command.ts'
import { unschedule } from './schedules/unschedule-command.ts'

/** Every command, in the order people read them. */
export const rows: readonly Row[] = [
  [list, status, replicas, logs],
  [start, stop, restart, scale, patch],
  [ask, approve, decline, cancel, undo],
  [schedules, schedule, unschedule, keep, resume, idle],
  [protect, unprotect, freeze, thaw],
  [away, back, breakGlass],
  [token, tokens],
  [history, savings, explain, whoami, doctor, help],
].flat()

/** Made from the table once, and passed in where a process is assembled. */
export const commands = createCommands(rows)
