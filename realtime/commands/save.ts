import type { Command } from './command.ts'

/** `/save`: writes what is not on disk yet. Blocks are never behind by more than a moment, places of players by some seconds. */
export const save: Command = {
  name: 'save',
  description: 'Writes the world and where players are to disk.',
  forms: [[]],
  permission: 'command.save',
  privileged: true,
  run: async ({ world }) => {
    const saved = await world.save()
    const { chunkCount, places, milliseconds } = saved
    const players = places === 1 ? '1 place of a player' : `${places} places of players`
    return {
      ok: true,
      text: `Saved in ${Math.ceil(milliseconds)} ms: ${players} written, and every change of the ${chunkCount} chunks is on disk.`,
      data: saved,
    }
  },
}
