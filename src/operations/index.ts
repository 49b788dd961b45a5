import { approve } from './approve.ts'
import { away } from './away.ts'
import { back } from './back.ts'
import { breakGlass } from './break-glass.ts'
import { cancel } from './cancel.ts'
import { createCommands } from './commands.ts'
import { decline } from './decline.ts'
import type { Row } from './define.ts'
import { doctor } from './doctor.ts'
import { explain } from './explain.ts'
import { freeze } from './freeze.ts'
import { help } from './help.ts'
import { history } from './history.ts'
import { idle } from './idle.ts'
import { keep } from './keep.ts'
import { list } from './list.ts'
import { logs } from './logs.ts'
import { patch } from './patch.ts'
import { protect } from './protect.ts'
import { replicas } from './replicas.ts'
import { restart } from './restart.ts'
import { savings } from './savings.ts'
import { scale } from './scale.ts'
import { schedule } from './schedule.ts'
import { schedules } from './schedules.ts'
import { start } from './start.ts'
import { status } from './status.ts'
import { stop } from './stop.ts'
import { thaw } from './thaw.ts'
import { undo } from './undo.ts'
import { unprotect } from './unprotect.ts'
import { unschedule } from './unschedule.ts'
import { whoami } from './whoami.ts'

/** Everything that can be asked, in the order people read it. */
export const rows: readonly Row[] = [
  list,
  status,
  replicas,
  logs,
  start,
  stop,
  restart,
  scale,
  patch,
  approve,
  decline,
  cancel,
  undo,
  schedules,
  schedule,
  unschedule,
  keep,
  idle,
  protect,
  unprotect,
  freeze,
  thaw,
  away,
  back,
  breakGlass,
  history,
  savings,
  explain,
  whoami,
  doctor,
  help,
]

/** Made from the table once, and handed in where a process is put together. */
export const commands = createCommands(rows)
