import { worldHeight } from '../../shared/rules/positions.ts'
import type { Game } from '../game/game.ts'
import type { Session } from '../sessions/session.ts'
import type { BlockChange } from '../world/edits/edit-journal.ts'
import type { GameZone } from '../zones/game-zone.ts'
import type { GameZones } from '../zones/game-zones.ts'
import type { ModuleCalls } from './module-calls.ts'
import type { ModulePlayer, ModulePlayers } from './module-player.ts'
import type { RunningModule } from './running-module.ts'

type Point = { readonly x: number; readonly y: number; readonly z: number }
type Change = Point & { readonly type: string }
/** Called in a later tick: with undefined when the changes are durable, or with the reason why nothing was changed. */
type Settled = (reason: string | undefined) => unknown
type EditOptions = { readonly by?: unknown; readonly settled?: Settled }

/** A zone, as the code of a module sees it. */
export type ModuleZone = {
  readonly id: string
  readonly name: string
  players(): Iterable<ModulePlayer>
  reset(snapshot: string, settled?: Settled): void
}

/** The largest number of blocks in one edit of a module. */
const changesMax = 4000

const isInside = ({ chunks, yMin, yMax }: GameZone, { x, y, z }: Point): boolean => {
  const [cx, cz] = [Math.floor(x / 16), Math.floor(z / 16)]
  return y >= yMin && Math.floor(y) <= yMax && chunks.some((chunk) => chunk.cx === cx && chunk.cz === cz)
}

export type ModuleWorldDeps = {
  readonly getGame: () => Game
  readonly zones: Pick<GameZones, 'zoneAt' | 'list'>
  readonly calls: Pick<ModuleCalls, 'addEffect'>
  readonly players: ModulePlayers
  /** Calls a function of the module in a later tick. */
  readonly callLater: (module: RunningModule, label: string, run: () => unknown) => void
  /** Starts the restore of a zone. Rejects with the reason. */
  readonly resetZone: (module: RunningModule, zoneId: string, snapshot: string) => Promise<void>
}

/** The world of the node, as modules see it. */
export const createModuleWorld = ({ getGame, zones, calls, players, callLater, resetZone }: ModuleWorldDeps) => {
  const describeZone = (module: RunningModule, zone: GameZone): ModuleZone => ({
    id: zone.id,
    name: zone.name,
    *players() {
      for (const session of getGame().sessions.all()) if (isInside(zone, session.body)) yield players.of(module, session)
    },
    reset: (snapshot, settled) =>
      calls.addEffect(module, 'reset of a zone', () => {
        const end = (reason: string | undefined): void => {
          if (settled !== undefined) callLater(module, 'settled of zone.reset', () => settled(reason))
        }
        getGame().later(
          resetZone(module, zone.id, snapshot),
          () => end(undefined),
          (error) => end(error instanceof Error ? error.message : 'unavailable'),
        )
      }),
  })

  const readChanges = (changes: readonly Change[]): readonly BlockChange[] | string => {
    const { registry, loaded } = getGame().world
    const read: BlockChange[] = []
    for (const { x, y, z, type } of changes) {
      const index = registry.find(type)?.index
      if (index === undefined) return 'unknown-block'
      if (!Number.isInteger(x) || !Number.isInteger(z) || !Number.isInteger(y) || y < 0 || y >= worldHeight) return 'invalid'
      if (loaded.blockAt(x, y, z) === undefined) return 'not-loaded'
      read.push({ x, y, z, index })
    }
    return read
  }

  const apply = (
    module: RunningModule,
    changes: readonly Change[],
    by: Session | undefined,
    settled: (reason?: string) => void,
  ) => {
    const { world } = getGame()
    const read = changes.length > changesMax ? 'invalid' : readChanges(changes)
    if (typeof read === 'string') settled(read)
    else if (by !== undefined && !changes.every((change) => world.edits.mayEdit(by, change))) settled('forbidden')
    else world.journal.apply({ changes: read, by: by?.account.playerId ?? '', via: 'module', module: module.name, settled })
  }

  return {
    describeZone,
    create: (module: RunningModule) => ({
      get name() {
        return getGame().world.record.name
      },
      blockAt: ({ x, y, z }: Point): string | undefined => {
        const { loaded, registry } = getGame().world
        const index = loaded.blockAt(Math.floor(x), Math.floor(y), Math.floor(z))
        return index === undefined ? undefined : registry.idOf(index)
      },
      topAt: (x: number, z: number): number | undefined => {
        const { loaded, registry } = getGame().world
        for (let y = worldHeight - 1; y >= 0; y -= 1) {
          const index = loaded.blockAt(Math.floor(x), y, Math.floor(z))
          if (index === undefined) return undefined
          if (registry.isSolid(index)) return y
        }
        return undefined
      },
      edit: (changes: readonly Change[], { by, settled }: EditOptions = {}): void => {
        const list = changes.map(({ x, y, z, type }) => ({ x, y, z, type }))
        const author = by === undefined ? undefined : players.sessionOf(by)
        calls.addEffect(module, 'game.world.edit', () => {
          const end = (reason?: string): void => {
            if (settled !== undefined) callLater(module, 'settled of world.edit', () => settled(reason))
          }
          if (by !== undefined && author === undefined) end('left')
          else apply(module, list, author, end)
        })
      },
      zoneAt: ({ x, y, z }: Point): ModuleZone | undefined => {
        const zone = zones.zoneAt(Math.floor(x), Math.floor(y), Math.floor(z))
        return zone && describeZone(module, zone)
      },
      zone: (name: string): ModuleZone | undefined => {
        for (const zone of zones.list()) if (zone.name === name || zone.id === name) return describeZone(module, zone)
        return undefined
      },
    }),
  }
}

export type ModuleWorld = ReturnType<typeof createModuleWorld>
