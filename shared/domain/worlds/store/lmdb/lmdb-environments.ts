import { join } from 'node:path'
import type { AppError } from '../../../../kernel/errors.ts'
import type { WorldRef } from '../chunk-store.ts'
import { checkWorld, storeClosed, worldUnusable } from '../chunk-store-rules.ts'
import { type Environment, openEnvironment } from './lmdb-environment.ts'
import { readOnlyWorld } from './lmdb-faults.ts'

/** How often to check whether the data file of an open environment was replaced. */
const lookEveryMs = 1000

const worldReplaced = (world: WorldRef): AppError =>
  worldUnusable(
    world,
    'their folder was replaced or removed while it was in use',
    'Restart the server. Replace a world only while no node runs it.',
  )

export type EnvironmentsOptions = {
  /** The folder with the folders of worlds. */
  readonly path: string
  /** Above this number, environments without pending writes are closed, least recently used first. */
  readonly openMax: number
  /** Whether writing is refused: `write` then throws AppError `unavailable`. */
  readonly isReadOnly: boolean
}

/** The environments of worlds, opened on first use. Throws AppError `unavailable` if one cannot be used, and after `close`. */
export type Environments = {
  /** Calls `run` with the world's environment; undefined if there is none yet. `run` must read everything before it returns. */
  read<T>(world: WorldRef, run: (environment: Environment | undefined) => T): Promise<T>
  /** Keeps the environment open until the promise of `run` has settled. */
  write<T>(world: WorldRef, run: (environment: Environment) => Promise<T>): Promise<T>
  /** Waits for pending writes. */
  close(): Promise<void>
}

export const createEnvironments = ({ path, openMax, isReadOnly }: EnvironmentsOptions): Environments => {
  // Least recently used first.
  const open = new Map<string, Environment>()
  const closing = new Map<string, Promise<void>>()
  const writes = new Map<Promise<unknown>, string>()
  const checked = new Set<Environment>()
  const replaced = new Set<string>()
  const looking = setInterval(() => checked.clear(), lookEveryMs).unref()
  let newest: Environment | undefined
  let closed: Promise<void> | undefined

  const closeOne = (name: string, environment: Environment): void => {
    open.delete(name)
    const done = environment
      .close()
      .catch(() => undefined)
      .then(() => {
        closing.delete(name)
      })
    closing.set(name, done)
  }

  const closeIdle = (): void => {
    if (open.size <= openMax) return
    const busy = new Set(writes.values())
    for (const [name, environment] of open)
      if (open.size > openMax && environment !== newest && !busy.has(name)) closeOne(name, environment)
  }

  /** Waits for an environment that is being closed. */
  const awaitClosing = async ({ name }: WorldRef): Promise<void> => {
    for (let done = closing.get(name); done !== undefined; done = closing.get(name)) await done
    if (closed !== undefined) throw storeClosed()
  }

  const find = <P extends 'read' | 'write'>(world: WorldRef, purpose: P) => {
    const current = open.get(world.name)
    if (current !== undefined && newest === current) return current
    if (current === undefined) checkWorld(world)
    const environment = current ?? openEnvironment(join(path, world.name), world, isReadOnly ? 'only read' : purpose)
    if (environment === undefined) return undefined
    open.delete(world.name)
    open.set(world.name, environment)
    newest = environment
    if (current === undefined) closeIdle()
    return environment
  }

  const isReplaced = (environment: Environment | undefined): boolean => {
    if (environment === undefined || checked.has(environment)) return false
    checked.add(environment)
    return environment.isReplaced()
  }

  /** Closes files that are no longer in the folder, unless they have pending writes. */
  const dropReplaced = (world: WorldRef): void => {
    const current = open.get(world.name)
    if (current !== undefined && isReplaced(current) && ![...writes.values()].includes(world.name)) closeOne(world.name, current)
  }

  const startWrite = async <T>(world: WorldRef, run: (environment: Environment) => Promise<T>): Promise<T> => {
    const current = open.get(world.name)
    // The writer has the old world in memory, which is not the one in the folder.
    if (isReplaced(current)) replaced.add(world.name)
    if (replaced.has(world.name)) throw worldReplaced(world)
    // The folder may be writable now.
    if (current?.isReadOnly) closeOne(world.name, current)
    await awaitClosing(world)
    const environment = find(world, 'write')
    if (environment === undefined) throw new Error('an environment to write in is made when absent')
    return await run(environment)
  }

  return {
    read: async (world, run) => {
      if (closed !== undefined) throw storeClosed()
      dropReplaced(world)
      if (closing.has(world.name)) await awaitClosing(world)
      return run(find(world, 'read'))
    },
    write: async (world, run) => {
      if (closed !== undefined) throw storeClosed()
      if (isReadOnly) throw readOnlyWorld(world, 'they were opened read-only')
      const writing = startWrite(world, run)
      writes.set(writing, world.name)
      try {
        return await writing
      } finally {
        writes.delete(writing)
        closeIdle()
      }
    },
    close: () => {
      clearInterval(looking)
      closed ??= Promise.allSettled(writes.keys()).then(async () => {
        for (const [name, environment] of open) closeOne(name, environment)
        await Promise.all(closing.values())
      })
      return closed
    },
  }
}
