import { setMaxListeners } from 'node:events'
import { AppError } from '../../../shared/kernel/errors.ts'
import { chunkMax } from '../../../shared/worlds/space/positions.ts'
import { pregenerate } from '../pregenerate.ts'
import { readArguments } from '../read-arguments.ts'
import { countOf, plural } from '../words.ts'
import { defineWorldCommand, type WorldContext, type WorldExit } from '../world-command.ts'

const leaseLost = () =>
  new AppError('conflict', 'lease-lost', 'The world was taken over by another process; what was generated before is kept.')

const fillSquare = async (context: WorldContext, name: string, radius: number): Promise<WorldExit> => {
  const { task, print, begin } = context
  const world = await task.worlds.getWorld(name)
  const lease = await task.acquireLease(world)
  const lost = new AbortController()
  lease.onLost(() => lost.abort(leaseLost()))
  const pool = task.openPool(world)
  const progress = begin(`Generating ${name}`, (2 * radius + 1) ** 2)
  const startedMs = task.clock.monotonic()
  let columns = 0
  const onWritten = (more: number) => {
    columns += more
  }
  try {
    const signal = AbortSignal.any([context.signal, lost.signal])
    // Each column of a batch listens to it.
    setMaxListeners(0, signal)
    await pregenerate(context, { world, radius, lease, pool, progress, signal, onWritten })
  } catch (error) {
    if (lost.signal.aborted) throw lost.signal.reason
    if (!context.signal.aborted) throw error
  } finally {
    progress.end()
    await pool.close()
    await lease.release()
  }
  const seconds = (task.clock.monotonic() - startedMs) / 1000
  const speed = columns === 0 ? '' : `, ${countOf(Math.round(columns / seconds))} columns a second`
  const there = (2 * radius + 1) ** 2 - columns
  if (context.signal.aborted) {
    print(`Stopped after ${plural(columns, 'column')}${speed}. They are kept: the same command goes on from there.\n`)
    return 130
  }
  print(`Generated ${plural(columns, 'column')}${speed}; ${countOf(there)} were there before.\n`)
  return 0
}

/** Generates the square of columns around column 0,0 on all cores; what is there is left alone. */
export const pregen = defineWorldCommand({
  name: 'pregen',
  usage: 'NAME --radius N',
  help: 'generates the columns from -N to N each way; run again it goes on where it was',
  parse: (args) => {
    const read = readArguments(args, ['NAME'], { radius: 'value' })
    if (!read.ok) return read
    const text = read.value.values.radius
    if (text === undefined) return { ok: false, reason: '--radius is missing.' }
    if (!/^\d{1,7}$/.test(text) || Number(text) > chunkMax)
      return { ok: false, reason: `--radius is a whole number of columns in 0…${chunkMax}.` }
    return { ok: true, value: { name: read.value.positionals[0] ?? '', radius: Number(text) } }
  },
  run: (context, { name, radius }) => fillSquare(context, name, radius),
})
