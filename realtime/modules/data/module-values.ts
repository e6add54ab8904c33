import { isDeepStrictEqual } from 'node:util'
import { type FencedWrites, raiseDataFence } from '../../../shared/domain/modules/data/data-fence.ts'
import type { CallModule, DataKind } from '../../../shared/domain/modules/data/data-kind.ts'
import {
  checkRecordId,
  createModuleData,
  type DataKey,
  type DataRecord,
  type DataWrite,
  type ModuleData,
  modulePlayers,
  moduleRecords,
  moduleStates,
  playerDataId,
  recordId,
  stateId,
} from '../../../shared/domain/modules/data/module-data.ts'
import type { LoadedSpec } from '../../../shared/domain/modules/module-spec.ts'
import { isLimitedSignIn } from '../../../shared/domain/permissions/limited-sign-in.ts'
import type { WorldLease } from '../../../shared/domain/worlds/leases/world-lease.ts'
import type { Clock } from '../../../shared/kernel/clock.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { Ids } from '../../../shared/kernel/ids.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import { putWrite, type Store, type Write } from '../../../shared/platform/storage/store.ts'
import type { PlayerValues } from '../../game/module-hooks.ts'
import type { Session } from '../../sessions/session.ts'
import { createLiveData, isConflict, type LiveValue } from './live-data.ts'
import { compileKinds, type ModuleKinds } from './module-kinds.ts'
import { createSetAsideReports, moduleOf, nameOfData, restoreModules } from './set-aside-values.ts'

type Spec = Pick<LoadedSpec, 'name' | 'declare'>

/** The records of one module, as its code sees them. */
export type ModuleRecords = Readonly<
  Record<
    string,
    {
      get(id: string): Promise<{ readonly value: unknown; readonly version: string } | undefined>
      put(id: string, value: unknown, when?: { readonly ifVersion: string | null }): Promise<string>
      delete(id: string): Promise<boolean>
      list(options?: { readonly prefix?: string; readonly limit?: number; readonly cursor?: string }): Promise<unknown>
    }
  >
>

/** The stored values of the modules of a node: state, data of players, records. Owned by the game loop. */
export type ModuleValues = {
  /** Compiles the declarations of a module. Throws ModuleNotLoaded. */
  check(spec: Spec): void
  /**
   * Reads what these modules need to start: their state, and their data of the players in the game. Call the returned function in the
   * tick in which they replace the others, with the sessions of then. Values in memory stay.
   */
  prepare(specs: readonly Spec[], players: readonly string[]): Promise<(sessions: Iterable<Session>) => void>
  /** Reads the data of a player who is about to join. */
  load(playerId: string): Promise<PlayerValues>
  /** Whether the loaded data is all that `enter` needs now. A load of modules or a long wait may need more. */
  hasAll(playerId: string, loaded: PlayerValues): boolean
  /** The player is in the game. */
  enter(session: Session, loaded: PlayerValues): void
  /** The player has left. Their data is written soon. */
  leave(session: Session): void
  /** The data of a module for a player; undefined if it declares none. */
  playerDataOf(module: string, playerId: string): LiveValue | undefined
  /** Reads the data of a module for a player who may not be in the game. It stays in memory for a while. */
  openPlayer(module: string, playerId: string): Promise<void>
  /** The state of a module; undefined if it declares none. */
  state(module: string): LiveValue | undefined
  records(spec: Spec): ModuleRecords
  commit(spec: Spec, writes: unknown): Promise<void>
  /** For administrators: the data in memory, with the version of its declaration. */
  readPlayer(module: string, playerId: string): { readonly value: unknown; readonly version: number } | undefined
  /** For administrators: replaces data in memory, and writes it. Undefined if it is not in memory. Throws AppError. */
  writePlayer(
    module: string,
    playerId: string,
    next: { readonly value?: unknown; readonly version?: number; readonly was?: unknown },
  ): Promise<{ readonly before: unknown; readonly after: unknown } | undefined>
  /** Checks a value against the declaration of a running module. Returns its version. Throws AppError. */
  checkValue(module: string, record: string | undefined, value: unknown): number | undefined
  /** The number of values that are set aside: at the last load of the module, and since then. */
  setAsideOf(module: string): number
  step(nowMs: number): void
  flush(): Promise<number>
  waiting(): number
}

export type ModuleValuesDeps = {
  readonly store: Store
  readonly worldId: string
  readonly lease: Pick<WorldLease, 'isHeld' | 'fence'>
  readonly tickRate: number
  /** Calls a migration under the time limit. */
  readonly call: CallModule
  /** The largest stored value, in bytes. */
  readonly bytesMax: () => number
  /** Called for records, data of players and states that were written or deleted. */
  readonly wrote: (module: string, values: number) => void
  /** A value was set aside, or cannot be written. */
  readonly report: (module: string, what: string) => void
  readonly clock: Pick<Clock, 'now' | 'monotonic'>
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
}

/** The number of players whose data is read at the same time. */
const readsAtOnce = 100

/** Modules that are being loaded, and their values in the store by id: of the module for states, `playerDataId` for players. */
type Upcoming = { readonly specs: readonly Spec[]; readonly found: Map<string, DataRecord> }

const noteFound = ({ found }: Upcoming, keys: readonly DataKey[], loaded: PlayerValues): void => {
  for (const { id, kind } of keys) {
    const record = loaded.get(kind)
    if (record !== undefined) found.set(id, record)
  }
}

export const createModuleValues = (deps: ModuleValuesDeps): ModuleValues => {
  const { store, worldId, lease, tickRate, call, bytesMax, wrote, report, clock, ids, log } = deps
  const setAside = createSetAsideReports(report)
  const data = createModuleData({ store, clock, ids, report: setAside.note })
  /** Writes the changed values of a module in memory with its records: a sale is never stored without its price. */
  const recordsOf = (module: string): ModuleData => {
    const commitOne = async (one: Write) => (await live.commit(module, [one]))[0] ?? null
    const recordsStore: Store = {
      ...store,
      commit: (writes) => live.commit(module, writes),
      put: async (collection, id, value, when) => (await commitOne(putWrite(collection, id, value, when))) ?? '',
      delete: async ({ name }, id, when) => {
        const found = await store.get({ name, parse: (stored) => stored }, id)
        if (found === undefined && when === undefined) return false
        try {
          await commitOne({ kind: 'delete', collection: name, id, ...(when ?? (found && { ifVersion: found.version })) })
          return true
        } catch (error) {
          // Another write was faster. Of two deletions only one finds the record.
          if (when === undefined && isConflict(error)) return recordsStore.delete({ name, parse: (stored) => stored }, id)
          throw error
        }
      },
    }
    return createModuleData({ store: recordsStore, clock, ids, report: setAside.note })
  }
  let fenced: Promise<FencedWrites> | undefined
  const live = createLiveData({
    store,
    data,
    fenced: () => {
      fenced ??= raiseDataFence(store, worldId, lease.fence).catch((error: unknown) => {
        fenced = undefined
        throw error
      })
      return fenced
    },
    lease,
    tickRate,
    wrote: (module) => wrote(module, 1),
    refused: (module, id, why) => {
      log.error({ module, id, why }, 'a value of a module cannot be written; the stored one stays')
      report(module, `A value cannot be written: ${id}: ${why}`)
    },
    log,
  })

  const compiled = new WeakMap<object, ModuleKinds>()
  const kindsOf = (spec: Spec): ModuleKinds => {
    const known = compiled.get(spec.declare) ?? compileKinds(spec, { call, bytesMax })
    compiled.set(spec.declare, known)
    return known
  }
  let running: readonly Spec[] = []
  /** Modules of loads in progress, with the values that were read for them. A player who joins during a load adds theirs. */
  const upcoming = new Set<Upcoming>()

  const stateKey = (module: string, kind: DataKind): DataKey => ({ collection: moduleStates, id: stateId(module, worldId), kind })
  const playerKey = (module: string, kind: DataKind, playerId: string): DataKey => ({
    collection: modulePlayers,
    id: playerDataId(module, playerId),
    kind,
  })
  const specOf = (module: string): Spec | undefined => running.find(({ name }) => name === module)
  const playerKeyOf = (module: string, playerId: string): DataKey | undefined => {
    const spec = specOf(module)
    const kind = spec && kindsOf(spec).player
    return kind && playerKey(module, kind, playerId)
  }

  const playerKeysOf = (specs: readonly Spec[], playerId: string): readonly DataKey[] =>
    specs.flatMap((spec) => {
      const { player } = kindsOf(spec)
      return player === undefined ? [] : [playerKey(spec.name, player, playerId)]
    })

  /** Each data of a player that `enter` needs: of running modules, and of upcoming ones unless a running version has it in memory. */
  const neededKeys = (playerId: string): readonly DataKey[] => {
    const own = playerKeysOf(running, playerId)
    const ids = new Set(own.map(({ id }) => id))
    const others = Array.from(upcoming, ({ specs }) => playerKeysOf(specs, playerId)).flat()
    return [...own, ...others.filter(({ id }) => !ids.has(id))]
  }

  const loadAll = async (keys: readonly DataKey[]): Promise<PlayerValues> => {
    const missing = keys.filter((key) => !live.isHeld(key))
    return new Map(await Promise.all(missing.map(async (key) => [key.kind, await live.load(key)] as const)))
  }

  const isKeptOf = (session: Session) => (): boolean => !isLimitedSignIn(session.account, session.verified)

  const enter = (specs: readonly Spec[], session: Session, find: (key: DataKey) => DataRecord | undefined): void => {
    const isKept = isKeptOf(session)
    for (const key of playerKeysOf(specs, session.account.playerId))
      live.hold(moduleOf(key.id), key, isKept() ? find(key) : undefined, isKept)
  }

  const parseWrite = (spec: Spec, write: unknown): DataWrite => {
    const { record, id, ifVersion, ...rest } = write as Readonly<Record<string, unknown>>
    const kind = typeof record === 'string' ? kindsOf(spec).records.get(record) : undefined
    if (kind === undefined || typeof record !== 'string')
      throw new AppError('invalid', 'bad-request', `The module ${spec.name} declares no records "${String(record)}".`)
    const key = { collection: moduleRecords, id: recordId(spec.name, record, checkRecordId(id)), kind }
    const when = ifVersion === undefined ? {} : { ifVersion: ifVersion === null ? null : String(ifVersion) }
    return rest.delete === true ? { ...key, ...when, delete: true } : { ...key, ...when, value: rest.value }
  }

  const find = (module: string, playerId: string) => {
    const key = playerKeyOf(module, playerId)
    return key && live.find(key)
  }

  return {
    check: (spec) => void kindsOf(spec),
    prepare: async (specs, players) => {
      const found = new Map<string, DataRecord>()
      const load = { specs, found }
      upcoming.add(load)
      let restored: ReadonlyMap<string, DataRecord>
      try {
        const changed = specs.filter(({ declare }) => !running.some((other) => other.declare === declare))
        if (changed.length > 0) await live.flush()
        restored = await restoreModules({ store, data, log }, changed, kindsOf, setAside.setCount)
        await Promise.all(
          specs.map(async (spec) => {
            const { state } = kindsOf(spec)
            const record = state && (await live.load(stateKey(spec.name, state)))
            if (record !== undefined) found.set(spec.name, record)
          }),
        )
        for (let at = 0; at < players.length; at += readsAtOnce)
          await Promise.all(
            players.slice(at, at + readsAtOnce).map(async (playerId) => {
              const keys = playerKeysOf(specs, playerId)
              noteFound(load, keys, await loadAll(keys))
            }),
          )
        // A value that the new version cannot read must be in the store.
        await live.flush()
      } catch (error) {
        upcoming.delete(load)
        throw error
      }
      return (sessions) => {
        upcoming.delete(load)
        const next = new Map(specs.map((spec) => [spec.name, kindsOf(spec)]))
        live.adapt(
          (module, collection) => {
            const kinds = next.get(module)
            return collection === moduleStates.name ? kinds?.state : kinds?.player
          },
          (key) => restored.get(nameOfData(key)),
        )
        for (const spec of running) {
          const { state } = kindsOf(spec)
          if (state !== undefined && next.get(spec.name)?.state === undefined)
            live.release(stateKey(spec.name, state), clock.monotonic())
        }
        running = specs
        for (const spec of specs) {
          const { state } = kindsOf(spec)
          if (state !== undefined) live.hold(spec.name, stateKey(spec.name, state), found.get(spec.name))
        }
        for (const session of sessions) enter(specs, session, ({ id }) => found.get(id))
      }
    },
    load: (playerId) => loadAll(neededKeys(playerId)),
    hasAll: (playerId, loaded) => neededKeys(playerId).every((key) => loaded.has(key.kind) || live.isHeld(key)),
    enter: (session, loaded) => {
      enter(running, session, ({ kind }) => loaded.get(kind))
      for (const load of upcoming) noteFound(load, playerKeysOf(load.specs, session.account.playerId), loaded)
    },
    leave: (session) => {
      const { playerId } = session.account
      for (const { name } of running) {
        const key = playerKeyOf(name, playerId)
        if (key !== undefined) live.release(key, clock.monotonic())
      }
    },
    playerDataOf: find,
    openPlayer: async (module, playerId) => {
      let key = playerKeyOf(module, playerId)
      while (key !== undefined && live.find(key) === undefined) {
        const loaded = await live.load(key)
        const now = playerKeyOf(module, playerId)
        if (now?.kind === key.kind && live.find(key) === undefined) {
          live.hold(module, key, loaded)
          live.release(key, clock.monotonic())
        }
        // The module was replaced while the value was read.
        key = now
      }
    },
    state: (module) => {
      const spec = specOf(module)
      const kind = spec && kindsOf(spec).state
      return kind && live.find(stateKey(module, kind))
    },
    records: (spec) =>
      Object.fromEntries(
        Array.from(kindsOf(spec).records, ([name, kind]) => {
          const keyOf = (id: unknown): DataKey => ({
            collection: moduleRecords,
            id: recordId(spec.name, name, checkRecordId(id)),
            kind,
          })
          const all: DataKey = { collection: moduleRecords, id: recordId(spec.name, name, ''), kind }
          return [
            name,
            {
              get: async (id: string) => {
                const found = await data.read(keyOf(id))
                return found && { value: found.value, version: found.version }
              },
              put: async (id: string, value: unknown, when?: { readonly ifVersion: string | null }) => {
                const version = await recordsOf(spec.name).put(keyOf(id), value, when && { ifVersion: when.ifVersion })
                wrote(spec.name, 1)
                return version
              },
              delete: async (id: string) => {
                const wasThere = await recordsOf(spec.name).delete(keyOf(id))
                if (wasThere) wrote(spec.name, 1)
                return wasThere
              },
              list: async ({
                prefix,
                limit,
                cursor,
              }: {
                readonly prefix?: string
                readonly limit?: number
                readonly cursor?: string
              } = {}) =>
                data.list(all, {
                  ...(prefix !== undefined && { prefix }),
                  ...(limit !== undefined && { limit }),
                  ...(cursor !== undefined && { cursor }),
                }),
            },
          ]
        }),
      ),
    commit: async (spec, writes) => {
      if (!Array.isArray(writes)) throw new AppError('invalid', 'bad-request', 'commit needs a list of writes.')
      await recordsOf(spec.name).commit(writes.map((write) => parseWrite(spec, write)))
      wrote(spec.name, writes.length)
    },
    readPlayer: (module, playerId) => {
      const key = playerKeyOf(module, playerId)
      const value = key && live.find(key)
      return key && value && { value: value.value, version: key.kind.version }
    },
    writePlayer: async (module, playerId, { value, version, was }) => {
      const key = playerKeyOf(module, playerId)
      const current = key && live.find(key)
      if (key === undefined || current === undefined) return undefined
      const plain: unknown = JSON.parse(JSON.stringify(current.value))
      if (was !== undefined && !isDeepStrictEqual(plain, was))
        throw new AppError('stale', 'stale', 'The value has changed since you read it. Read it again and repeat.')
      const reading = version === undefined ? undefined : key.kind.read({ version, value })
      if (reading?.ok === false) throw new AppError('unprocessable', 'rule-broken', `The value does not fit: ${reading.fault}.`)
      live.replace(key, reading === undefined ? (value ?? key.kind.initial()) : reading.value)
      await live.flush()
      const { version: declared } = key.kind
      return {
        before: { version: declared, value: plain },
        after: { version: declared, value: JSON.parse(JSON.stringify(current.value)) },
      }
    },
    checkValue: (module, record, value) => {
      const spec = specOf(module)
      const kind = spec && (record === undefined ? kindsOf(spec).player : kindsOf(spec).records.get(record))
      if (spec === undefined) return undefined
      if (kind === undefined)
        throw new AppError(
          'unprocessable',
          'rule-broken',
          record === undefined
            ? `The module ${module} declares no data of players.`
            : `The module ${module} declares no records "${record}".`,
        )
      return kind.encode(value).version
    },
    setAsideOf: setAside.countOf,
    step: (nowMs) => {
      live.step(nowMs)
      setAside.step(nowMs)
    },
    flush: live.flush,
    waiting: live.waiting,
  }
}
