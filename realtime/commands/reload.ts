import { reloadByActor } from '../../shared/configs/in-force/reload-by-actor.ts'
import type { Command } from './command.ts'
import { replyToReload } from './reply-to-reload.ts'

/** `/reload`: reads every config file again, in every process. */
export const reload: Command = {
  name: 'reload',
  description: 'Reads all config files again.',
  forms: [[]],
  permission: 'command.reload',
  privileged: true,
  run: async (context, { actor }) => replyToReload(await reloadByActor(context, actor)),
}
