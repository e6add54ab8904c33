import { knownCommand } from '../../shared/domain/permissions/known-commands.ts'
import type { Command } from './command.ts'

/** `/save`: writes unsaved data to disk. Normally blocks are written at once, and the positions of players after some seconds. */
export const save: Command = {
  ...knownCommand('save'),
  description: 'Saves the world and the positions of players to disk.',
  forms: [[]],
  run: async ({ world }) => {
    const saved = await world.save()
    const { chunkCount, places, milliseconds } = saved
    const players = places === 1 ? '1 player position' : `${places} player positions`
    return {
      ok: true,
      text: `Saved in ${Math.ceil(milliseconds)} ms: ${players} and all changes of ${chunkCount} chunks.`,
      data: saved,
    }
  },
}
