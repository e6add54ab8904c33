import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Ids } from '../../kernel/ids.ts'
import { type Precondition, putWrite, type Store, type StoredRecord } from '../../platform/storage/store.ts'
import { createAuditEntry } from '../audit/audit-entry.ts'
import { auditWrites } from '../audit/store-audit-log.ts'
import type { WorldgenConfig } from './generation/worldgen-config.ts'
import { checkNewWorld, isWorldName } from './new-world.ts'
import type { ChunkStore } from './store/chunk-store.ts'
import { seedOf, type WorldRecord, worldRecords } from './world.ts'
import { keptForImport, type LeavingWorld, leavingWorld, listLeaving, worldNames } from './world-names.ts'
import type { ListedWorld, NewWorld, WorldService } from './world-service.ts'

export type WorldServiceDeps = {
  readonly store: Store
  readonly chunks: Pick<ChunkStore, 'stats'>
  readonly configs: { readonly get: (name: 'worldgen.yaml') => WorldgenConfig }
  readonly clock: Clock
  readonly ids: Ids
  /** The world that `GAME_WORLD_NAME` selects. */
  readonly activeName: string
}

const listPageLimit = 1000

const alreadyExists = (name: string, existing: string): AppError =>
  new AppError(
    'conflict',
    'already-exists',
    name === existing
      ? `The world "${existing}" already exists.`
      : `The world "${existing}" already exists. A name that differs only in letter case would share its folder on some systems. Choose another name.`,
  )

const createRecord = ({ configs, clock, ids }: WorldServiceDeps, input: NewWorld): WorldRecord => {
  const { id = ids.uuid(), name, seed = seedOf(ids.secret()), settings = configs.get('worldgen.yaml') } = input
  return {
    id,
    name,
    seed: typeof seed === 'string' ? seedOf(seed) : seed + 0,
    createdAt: new Date(clock.now()).toISOString(),
    generator: input.generator ?? configs.get('worldgen.yaml').generator,
    settings,
    ...(input.spawn && { spawn: input.spawn }),
  }
}

/** The precondition for a free name, or for a name that is reserved for the import of this world. */
const findNameRoom = async (store: Store, { id, name }: WorldRecord): Promise<Required<Precondition>> => {
  const nameRecord = await store.get(worldNames, name.toLowerCase())
  const isOurs = nameRecord?.value.importId === id && nameRecord.value.name === name
  return { ifVersion: isOurs ? nameRecord.version : null }
}

const createCreation = (deps: WorldServiceDeps): WorldService['createWorld'] => {
  const { store, ids } = deps
  return async (input, actor = { email: 'operator', via: 'cli', requestId: ids.uuid() }) => {
    checkNewWorld(input)
    const record = createRecord(deps, input)
    const { id, settings: _settings, ...after } = record
    const entry = createAuditEntry(deps, actor, { action: 'world.create', target: record.name, before: null, after })
    const nameId = record.name.toLowerCase()
    const nameRoom = input.id === undefined ? { ifVersion: null } : await findNameRoom(store, record)
    try {
      await store.commit([
        putWrite(worldRecords, record.name, record, { ifVersion: null }),
        putWrite(worldNames, nameId, { name: record.name }, nameRoom),
        ...auditWrites(entry),
      ])
      return record
    } catch (error) {
      if (!(error instanceof AppError && error.kind === 'conflict')) throw error
      const existing = await store.get(worldNames, nameId)
      if (existing === undefined) throw error
      const { name, importId, leaving } = existing.value
      if (leaving !== undefined) throw leavingWorld(name, leaving)
      throw importId === undefined ? alreadyExists(record.name, name) : keptForImport(name)
    }
  }
}

/** Lists a world even if its chunks cannot be read, so that admins see it. */
const describeWorld = async (
  { chunks, activeName }: WorldServiceDeps,
  { id, name, seed, createdAt, generator, spawn }: WorldRecord,
): Promise<ListedWorld> => {
  const facts = { name, seed, createdAt, generator, active: name === activeName, ...(spawn && { spawn }) }
  try {
    return { ...facts, ...(await chunks.stats({ name, id })) }
  } catch (error) {
    if (!(error instanceof AppError && error.slug === 'world-unusable')) throw error
    return { ...facts, chunkCount: 0, sizeBytes: 0, warning: error.publicDetail }
  }
}

/** Lists a world whose deletion or renaming was interrupted, so that an admin can finish it. */
const describeLeaving = ({ activeName }: WorldServiceDeps, name: string, leaving: LeavingWorld): ListedWorld => {
  const { seed, createdAt, generator } = leaving.world
  const facts = { name, seed, createdAt, generator, active: name === activeName, chunkCount: 0, sizeBytes: 0 }
  return { ...facts, warning: leavingWorld(name, leaving).publicDetail }
}

/** One world per turn of the event loop: opening a world's chunks takes about 1.5 ms, and a game may run in this process. */
const describeAll = async (deps: WorldServiceDeps, worlds: readonly WorldRecord[]): Promise<ListedWorld[]> => {
  const listed: ListedWorld[] = []
  for (const world of worlds) {
    listed.push(await describeWorld(deps, world))
    await nextTurn()
  }
  return listed
}

const listRecords = async (store: Store): Promise<readonly WorldRecord[]> => {
  const found: StoredRecord<WorldRecord>[] = []
  let cursor: string | undefined
  do {
    const page = await store.list(worldRecords, { limit: listPageLimit, ...(cursor === undefined ? {} : { cursor }) })
    found.push(...page.records)
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return found.map(({ value }) => value)
}

/** The worlds in a Store, with statistics of a ChunkStore. */
export const createWorldService = (deps: WorldServiceDeps): WorldService => {
  const { store, activeName } = deps
  const createWorld = createCreation(deps)
  const findWorld = async (name: string): Promise<WorldRecord | undefined> =>
    isWorldName(name) ? (await store.get(worldRecords, name))?.value : undefined
  const setSpawn: WorldService['setSpawn'] = async (name, spawn, actor, check) => {
    const found = isWorldName(name) ? await store.get(worldRecords, name) : undefined
    if (found === undefined) throw new AppError('not-found', 'not-found', 'There is no world with that name.')
    const { spawn: before, ...record } = found.value
    check?.(before)
    const next = spawn === undefined ? record : { ...record, spawn }
    const change = { action: 'world.spawn', target: name, before: before ?? null, after: spawn ?? null }
    const entry = actor && createAuditEntry(deps, actor, change)
    await store.commit([
      putWrite(worldRecords, name, next, { ifVersion: found.version }),
      ...(entry === undefined ? [] : auditWrites(entry)),
    ])
    return next
  }
  const ensureWorld = async (name: string): Promise<WorldRecord> => {
    const existing = await findWorld(name)
    if (existing !== undefined) return existing
    try {
      return await createWorld({ name })
    } catch (error) {
      const made = await findWorld(name)
      if (made === undefined) throw error
      return made
    }
  }

  return {
    createWorld,
    describeWorld: (world) => describeWorld(deps, world),
    findWorld,
    getWorld: async (name = activeName) => {
      const world = await findWorld(name)
      if (world === undefined) throw new AppError('not-found', 'not-found', 'There is no world with that name.')
      return world
    },
    listWorlds: async () => {
      const leaving = (await listLeaving(store)).map(({ name, leaving }) => describeLeaving(deps, name, leaving))
      const listed = [...(await describeAll(deps, await listRecords(store))), ...leaving]
      return listed.sort((one, other) => Number(other.active) - Number(one.active) || (one.name < other.name ? -1 : 1))
    },
    setSpawn,
    ensureWorld,
    ensureActive: () => ensureWorld(activeName),
  }
}
