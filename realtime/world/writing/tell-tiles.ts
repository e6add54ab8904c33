import type { NodeReports } from '../../../shared/domain/node-reports/node-reports.ts'
import { changesFreshMs, type TileReport } from '../../../shared/domain/worlds/map/tile-changes.ts'
import type { Clock } from '../../../shared/kernel/clock.ts'
import type { Log } from '../../../shared/kernel/log.ts'
import { repeat } from '../../../shared/kernel/repeat.ts'
import { chunkKey } from '../../../shared/rules/positions.ts'
import type { StoredTiles } from './stored-tiles.ts'

/** How often to look for stored tiles. A single change is reported this fast. */
const lookEveryMs = 50
/** The intervals between reports of changes, and between reports without changes. */
const tellEveryMs = 400
const aliveEveryMs = 5_000

/** The maximum number of tiles in a report. */
const listedMax = 2_000

export type TellTilesDeps = {
  readonly nodeId: string
  readonly worldId: string
  readonly stored: StoredTiles
  readonly nodeReports: Pick<NodeReports, 'tell' | 'withdraw'>
  readonly clock: Pick<Clock, 'monotonic' | 'now'>
  readonly log: Pick<Log, 'debug'>
}

type Taken = ReturnType<StoredTiles['take']>

/** Reports changed tiles to processes that draw tiles. The feed informs its clients when all processes know. */
export const tellTiles = ({ nodeId, worldId, stored, nodeReports, clock, log }: TellTilesDeps) => {
  /** Ordered by last change. */
  const listed = new Map<number, TileReport['tiles'][number]>()
  const told: { readonly tiles: Exclude<Taken, undefined>; readonly fromMs: number }[] = []
  let since = 0
  let last = 0
  let toldAtMs = Number.NEGATIVE_INFINITY

  const list = (tiles: Exclude<Taken, undefined>): void => {
    last += 1
    if (tiles === 'any') {
      listed.clear()
      since = last
      return
    }
    for (const { tx, tz } of tiles) {
      const key = chunkKey(tx, tz)
      listed.delete(key)
      listed.set(key, { tx, tz, at: last })
    }
    for (const [key, { at }] of listed) {
      if (listed.size <= listedMax) break
      listed.delete(key)
      since = at
    }
  }

  const tell = async (): Promise<void> => {
    toldAtMs = clock.monotonic()
    const report: TileReport = { worldId, since, last, tiles: [...listed.values()] }
    await nodeReports
      .tell('tiles', nodeId, JSON.stringify(report))
      .catch((error: unknown) => log.debug({ err: error }, 'changed tiles cannot be reported'))
  }

  const look = async (): Promise<void> => {
    const sinceToldMs = clock.monotonic() - toldAtMs
    const tiles = sinceToldMs >= tellEveryMs ? stored.take() : undefined
    if (tiles === undefined) {
      if (sinceToldMs >= aliveEveryMs) await tell()
      return
    }
    list(tiles)
    await tell()
    told.push({ tiles, fromMs: clock.monotonic() + changesFreshMs + lookEveryMs / 2 })
  }

  let underWay = look()
  const stop = repeat(() => {
    underWay = look()
    return underWay
  }, lookEveryMs)
  return {
    /** Takes the tiles that all processes know about. */
    take: (): Taken => {
      const ready = told.findIndex(({ fromMs }) => fromMs > clock.monotonic())
      const taken = told.splice(0, ready === -1 ? told.length : ready).map(({ tiles }) => tiles)
      if (taken.length === 0) return undefined
      return taken.includes('any') ? 'any' : taken.flatMap((tiles) => (tiles === 'any' ? [] : tiles))
    },
    close: (): void => {
      stop()
      void underWay.then(() => nodeReports.withdraw('tiles', nodeId)).catch(() => undefined)
    },
  }
}
