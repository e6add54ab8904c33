import { usualMovement } from '../../shared/rules/movement/move-budget.ts'
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

/** The longest ray. */
const rayBlocks = 256
const bodyRadius = usualMovement.bodyWidth / 2

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
  readonly resetZone: (zoneId: string, snapshot: string, signal: AbortSignal) => Promise<void>
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
          resetZone(zone.id, snapshot, module.ended.signal),
          () => end(undefined),
          (error) => end(error instanceof Error ? error.message : 'unavailable'),
        )
      }),
  })

  /** The distance to the body of a player, or undefined if the ray misses it. */
  const distanceTo = ({ x, y, z }: Point, from: Point, along: Point, max: number): number | undefined => {
    let [enters, leaves] = [0, max]
    const axes = [
      [from.x, along.x, x - bodyRadius, x + bodyRadius],
      [from.y, along.y, y, y + usualMovement.bodyHeight],
      [from.z, along.z, z - bodyRadius, z + bodyRadius],
    ] as const
    for (const [start, step, least, most] of axes) {
      if (step === 0 && (start < least || start > most)) return undefined
      if (step === 0) continue
      const [one, other] = [(least - start) / step, (most - start) / step]
      enters = Math.max(enters, Math.min(one, other))
      leaves = Math.min(leaves, Math.max(one, other))
    }
    return enters <= leaves ? enters : undefined
  }

  /** The first solid block, visited block by block, and its distance. */
  const findBlock = (
    from: Point,
    along: Point,
    max: number,
  ): { readonly block: Point; readonly distance: number } | undefined => {
    const { loaded, registry } = getGame().world
    const axes = (['x', 'y', 'z'] as const).map((name) => {
      const step = Math.sign(along[name])
      const edge = step > 0 ? Math.floor(from[name]) + 1 - from[name] : from[name] - Math.floor(from[name])
      const each = step === 0 ? Number.POSITIVE_INFINITY : Math.abs(1 / along[name])
      return { at: Math.floor(from[name]), step, next: step === 0 ? Number.POSITIVE_INFINITY : edge * each, each }
    })
    const [x, y, z] = axes
    if (x === undefined || y === undefined || z === undefined) return undefined
    for (let distance = 0; distance <= max; ) {
      const index = loaded.blockAt(x.at, y.at, z.at)
      if (index !== undefined && registry.isSolid(index)) return { block: { x: x.at, y: y.at, z: z.at }, distance }
      const nearest = x.next <= y.next && x.next <= z.next ? x : y.next <= z.next ? y : z
      distance = nearest.next
      nearest.at += nearest.step
      nearest.next += nearest.each
    }
    return undefined
  }

  const castRay = (module: RunningModule, from: Point, direction: Point, max: number) => {
    const length = Math.hypot(direction.x, direction.y, direction.z)
    if (!(length > 0) || !(max >= 0)) return undefined
    const reach = Math.min(max, rayBlocks)
    const along = { x: direction.x / length, y: direction.y / length, z: direction.z / length }
    const hit = findBlock(from, along, reach)
    let nearest = hit?.distance ?? reach
    let session: Session | undefined
    for (const candidate of getGame().sessions.all()) {
      const distance = distanceTo(candidate.body, from, along, nearest)
      // A ray that begins inside of a body, such as that of the shooter, does not hit it.
      if (distance === undefined || distance === 0) continue
      nearest = distance
      session = candidate
    }
    if (session !== undefined) return { player: players.of(module, session) }
    return hit && { block: hit.block }
  }

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
      get spawn(): Point {
        return getGame().world.spawn.middle()
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
      castRay: (from: Point, direction: Point, max: number) => castRay(module, from, direction, max),
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
