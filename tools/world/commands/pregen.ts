import { setMaxListeners } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import type { Job, JobKind } from '../../../shared/domain/jobs/job.ts'
import { operatorActor } from '../../../shared/domain/jobs/job-service.ts'
import { pregenJob, pregenName, pregenProgress, pregenRadiusMax } from '../../../shared/domain/jobs/pregen.ts'
import type { RunningJob } from '../../../shared/domain/jobs/run-job.ts'
import { columnsWithin } from '../../../shared/domain/worlds/generation/square-regions.ts'
import type { WorldLease } from '../../../shared/domain/worlds/leases/world-lease.ts'
import type { WorldRecord } from '../../../shared/domain/worlds/world.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { chunkMax } from '../../../shared/rules/positions.ts'
import { followJob } from '../follow-job.ts'
import { pregenerate } from '../pregenerate.ts'
import { readArguments } from '../read-arguments.ts'
import { countOf, plural } from '../words.ts'
import { defineWorldCommand, type WorldContext, type WorldExit } from '../world-command.ts'

type Square = { readonly world: WorldRecord; readonly radius: number; readonly lease: WorldLease }

const leaseLost = () =>
  new AppError('conflict', 'lease-lost', 'Another process has taken over the world. The columns generated so far are kept.')

const lookEveryMs = 1_000
/** Longer than a server takes to restart. */
const abandonedAfterMs = 30_000

/** The lease, or undefined if the world has a holder. Throws other faults. */
const tryLease = ({ task }: WorldContext, world: WorldRecord): Promise<WorldLease | undefined> =>
  task.acquireLease(world).catch((error: unknown) => {
    if (error instanceof AppError && error.slug === 'world-held') return undefined
    throw error
  })

/** The lease, once the previous holder has released it, no one has taken the job, and no server has come for half a minute. */
const takeAbandoned = async (context: WorldContext, world: WorldRecord, { id }: Job): Promise<WorldLease | undefined> => {
  const { task, signal } = context
  const looksWanted = (task.abandonedAfterMs ?? abandonedAfterMs) / lookEveryMs
  let free = 0
  let lastFence = 0
  while (!signal.aborted) {
    if ((await task.jobs.getJob(id)).state !== 'queued') return undefined
    await pause(lookEveryMs)
    const lease = await tryLease(context, world)
    // A holder in between has taken a fence.
    free = lease === undefined ? 0 : lease.fence === lastFence + 1 ? free + 1 : 1
    if (lease === undefined) continue
    if (free >= looksWanted && (await task.jobs.getJob(id)).state === 'queued') return lease
    lastFence = lease.fence
    await lease.release()
  }
  return undefined
}

/** The node that runs the world generates the columns, next to its players. */
const haveFilled = async (context: WorldContext, world: WorldRecord, radius: number): Promise<WorldExit> => {
  const { task, print, complain } = context
  if (radius > pregenRadiusMax) {
    complain(
      `A server runs the world, and generates at most ${pregenRadiusMax} columns to each side. Stop the server to generate more.\n`,
    )
    return 2
  }
  print('A server runs the world and generates the columns, next to its players.\n')
  const operator = operatorActor(`world-pregen-${world.id}`)
  const started = await task.jobs.start(operator, pregenJob(world, { radius }))
  const lease = await takeAbandoned(context, world, started)
  if (lease !== undefined) {
    print('No server runs the world any longer: this process generates the columns.\n')
    await task.jobs.cancel(operator, started.id).catch(async (error: unknown) => {
      await lease.release()
      throw error
    })
    return fillSquare(context, { world, radius, lease })
  }
  const { state, detail } = await followJob(context, started, columnsWithin(radius))
  if (state === 'done' || state === 'cancelled') print(`${detail}\n`)
  else complain(`${detail}\n`)
  if (state === 'cancelled') return 130
  return state === 'done' ? 0 : 2
}

/** This process generates the columns under the lease of the world, as a job that other processes see. */
const fillSquare = async (context: WorldContext, { world, radius, lease }: Square): Promise<WorldExit> => {
  const { task, print, begin } = context
  const lost = new AbortController()
  lease.onLost(() => lost.abort(leaseLost()))
  const pool = task.openPool(world)
  const bar = begin(`Generating ${world.name}`, columnsWithin(radius))
  const startedMs = task.clock.monotonic()
  let there = 0
  let generated = 0
  let failure: unknown
  const run: JobKind['run'] = async (job) => {
    const signal = AbortSignal.any([job.signal, lost.signal])
    // Each column of a batch listens to it.
    setMaxListeners(0, signal)
    const advance = (steps = 1) => {
      there += steps
      bar.advance(steps)
      job.tell(pregenProgress(radius, { there, generated }))
    }
    const onWritten = (more: number) => {
      generated += more
    }
    try {
      await pregenerate(context, { world, radius, lease, pool, progress: { ...bar, advance }, signal, onWritten })
    } catch (error) {
      failure = error
      throw lost.signal.aborted ? lost.signal.reason : error
    }
    return pregenProgress(radius, { there, generated })
  }
  let running: RunningJob | undefined
  const cancel = () => running?.stop('cancelled')
  try {
    const { id } = await task.jobs.start(operatorActor(`world-pregen-${world.id}`), pregenJob(world, { radius }))
    running = await task.runJob(id, { kind: pregenName, lane: 'columns', afterCrash: 'go-on', run })
    context.signal.addEventListener('abort', cancel)
    if (context.signal.aborted) cancel()
    await running.ended
  } finally {
    context.signal.removeEventListener('abort', cancel)
    bar.end()
    await pool.close()
    await lease.release()
  }
  if (lost.signal.aborted) throw lost.signal.reason
  const seconds = (task.clock.monotonic() - startedMs) / 1000
  const speed = generated === 0 ? '' : `, ${countOf(Math.round(generated / seconds))} columns a second`
  if (running.stopped() !== undefined) {
    print(`Stopped after ${plural(generated, 'column')}${speed}. They are kept. Run the same command to continue.\n`)
    return 130
  }
  if (failure !== undefined) throw failure
  print(`Generated ${plural(generated, 'column')}${speed}. ${countOf(columnsWithin(radius) - generated)} existed already.\n`)
  return 0
}

const fillWorld = async (context: WorldContext, name: string, radius: number): Promise<WorldExit> => {
  const world = await context.task.worlds.getWorld(name)
  const lease = await tryLease(context, world)
  return lease === undefined ? haveFilled(context, world, radius) : fillSquare(context, { world, radius, lease })
}

/** Generates the square of columns around column 0,0 on all cores. Existing columns do not change. */
export const pregen = defineWorldCommand({
  name: 'pregen',
  usage: 'NAME --radius N',
  help: 'generates the columns from -N to N each way; run it again to continue',
  parse: (args) => {
    const read = readArguments(args, ['NAME'], { radius: 'value' })
    if (!read.ok) return read
    const text = read.value.values.radius
    if (text === undefined) return { ok: false, reason: '--radius is missing.' }
    if (!/^\d{1,7}$/.test(text) || Number(text) > chunkMax)
      return { ok: false, reason: `--radius must be a whole number of columns in 0…${chunkMax}.` }
    return { ok: true, value: { name: read.value.positionals[0] ?? '', radius: Number(text) } }
  },
  run: (context, { name, radius }) => fillWorld(context, name, radius),
})
