import type { WorldDescription } from '../world/world-of-node.ts'
import type { Command } from './command.ts'

const mebibyte = 1024 ** 2

const round = (value: number): number => Math.round(value * 10) / 10

const describe = (world: WorldDescription): string => {
  const { ticks, p50Ms, p99Ms, maxMs } = world.tickTimes
  return [
    `World ${world.name}, seed ${world.seed}, made by ${world.generator} on ${world.createdAt.slice(0, 10)}`,
    `${world.chunkCount} chunks, ${round(world.sizeBytes / mebibyte)} MiB on disk`,
    `${world.loadedColumns} chunks in memory, ${world.loadingColumns} on their way`,
    `The last ${ticks} ticks: half within ${round(p50Ms)} ms, 99 of 100 within ${round(p99Ms)} ms, the longest ${round(maxMs)} ms`,
  ].join('\n')
}

/** `/world`: what the world of this node is, how large, and how its ticks go. */
export const world: Command = {
  name: 'world',
  description: 'Tells about the world: name, seed, chunks, tick times.',
  forms: [[]],
  permission: 'command.world',
  privileged: false,
  run: async (context) => {
    const description = await context.world.describe()
    return { ok: true, text: describe(description), data: description }
  },
}
