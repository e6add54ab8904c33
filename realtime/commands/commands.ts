import { addUser } from './add-user.ts'
import type { Command } from './command.ts'
import { commandDisable, commandEnable } from './command-switch.ts'
import { configReload } from './config-reload.ts'
import { grant, ungrant } from './grants/grant.ts'
import { help } from './help.ts'
import { invite } from './invite.ts'
import { kick } from './kick.ts'
import { inspect } from './land/inspect.ts'
import { rollback } from './land/rollback.ts'
import { undo } from './land/undo.ts'
import { listModules, switchModule } from './modules.ts'
import { rbacAddGroup, rbacRemoveGroup, rbacSetGroup } from './rbac-groups.ts'
import { rbacListGroups } from './rbac-list-groups.ts'
import { reload } from './reload.ts'
import { ban, unban } from './sanctions/ban.ts'
import { mute, unmute } from './sanctions/mute.ts'
import { report } from './sanctions/report.ts'
import { showSanctions } from './sanctions/show-sanctions.ts'
import { warn } from './sanctions/warn.ts'
import { save } from './save.ts'
import { say } from './say.ts'
import { setSpawn, spawn } from './spawn.ts'
import { announce } from './talk/announce.ts'
import { ignore, unignore } from './talk/ignore.ts'
import { msg, reply } from './talk/msg.ts'
import { tp } from './tp.ts'
import { who } from './who.ts'
import { why } from './why.ts'
import { world } from './world.ts'
import { zoneDisable, zoneEnable } from './zone-switch.ts'
import { zones } from './zones.ts'

/** All commands in the order of help. A new command needs one file and one line here. */
export const commands: readonly Command[] = [
  help,
  who,
  say,
  msg,
  reply,
  ignore,
  unignore,
  announce,
  tp,
  spawn,
  setSpawn,
  world,
  zones,
  kick,
  warn,
  mute,
  unmute,
  ban,
  unban,
  showSanctions,
  report,
  inspect,
  rollback,
  undo,
  why,
  addUser,
  invite,
  rbacAddGroup,
  rbacSetGroup,
  rbacRemoveGroup,
  rbacListGroups,
  grant,
  ungrant,
  reload,
  configReload,
  listModules,
  switchModule,
  save,
  zoneEnable,
  zoneDisable,
  commandDisable,
  commandEnable,
]
