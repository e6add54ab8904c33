import { knownCommand } from '../../shared/domain/permissions/known-commands.ts'
import type { WorldDescription } from '../world/world-of-node.ts'
import type { Command } from './command.ts'

const mebibyte = 1024 ** 2

const round = (value: number): number => Math.round(value * 10) / 10

const describe = (world: WorldDescription): string => {
  const { ticks, p50Ms, p99Ms, maxMs } = world.tickTimes
  return [
    `World ${world.name}, seed ${world.seed}, generator ${world.generator}, created on ${world.createdAt.slice(0, 10)}`,
    `${world.chunkCount} chunks, ${round(world.sizeBytes / mebibyte)} MiB on disk`,
    `${world.loadedColumns} chunks in memory, ${world.loadingColumns} loading`,
    `Tick time over the last ${ticks} ticks: median ${round(p50Ms)} ms, 99th percentile ${round(p99Ms)} ms, maximum ${round(maxMs)} ms`,
  ].join('\n')
}

/** `/world`: the name and size of this node's world, and its tick times. */
export const world: Command = {
  ...knownCommand('world'),
  description: 'Shows the world: name, seed, chunks and tick times.',
  forms: [[]],
  run: async (context) => {
    const description = await context.world.describe()
    return { ok: true, text: describe(description), data: description }
  },
}
