import { check } from './commands/check.ts'
import { create } from './commands/create.ts'
import { exportToFile } from './commands/export.ts'
import { importFrom } from './commands/import.ts'
import { list } from './commands/list.ts'
import { map } from './commands/map.ts'
import { pregen } from './commands/pregen.ts'
import type { WorldCommand } from './world-command.ts'

/** Every command of `npm run world`, in the order of its help. */
export const worldCommands: readonly WorldCommand[] = [create, list, pregen, check, exportToFile, importFrom, map]
