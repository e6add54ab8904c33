import { type Static, Type } from '@sinclair/typebox'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { createParser } from '../../../kernel/schema.ts'
import type { NodeReports } from '../../node-reports/node-reports.ts'
import { type TilePos, zoomMax } from './tile-grid.ts'

/**
 * A node's report of its tiles: the last changed tiles of zoom 0, each with a rising number. The list is complete after the number
 * `since`.
 */
const TileReport = Type.Object({
  worldId: Type.String(),
  since: Type.Integer(),
  last: Type.Integer(),
  tiles: Type.Array(Type.Object({ tx: Type.Integer(), tz: Type.Integer(), at: Type.Integer() })),
})
export type TileReport = Static<typeof TileReport>

const parseReport = createParser(TileReport)

/** The known changes of tiles, in a process that draws them. Times are from its own clock. */
export type TileChanges = {
  /** Reads the reports of nodes, at most every 100 ms. Never rejects. */
  refresh(): Promise<void>
  /** Tiles checked before this moment may be out of date. */
  changedAtMs(worldId: string, place: TilePos): number
  /** Whether a node reports every change of that world. */
  isFollowed(worldId: string): boolean
}

/** Nodes report changes after storing them. A feed notifies its clients later than this time, so no client gets an old tile. */
export const changesFreshMs = 100

/** The maximum number of tiles, of all zooms, whose last change is remembered. */
const placesMax = 50_000

const nameOf = (worldId: string, { zoom, tx, tz }: TilePos): string => `${worldId}/${zoom}/${tx}_${tz}`

const readJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

export type TileChangesDeps = {
  readonly nodeReports: Pick<NodeReports, 'list'>
  readonly clock: Pick<Clock, 'monotonic'>
  readonly log: Pick<Log, 'debug'>
}

export const createTileChanges = ({ nodeReports, clock, log }: TileChangesDeps): TileChanges => {
  const places = new Map<string, number>()
  /** The time since which all tiles of a world count as changed. */
  const worlds = new Map<string, number>()
  /** The last report of each node. */
  let seen: ReadonlyMap<string, TileReport> = new Map()
  let readAtMs = Number.NEGATIVE_INFINITY
  let reading: Promise<void> | undefined

  const note = (name: string, nowMs: number): void => {
    places.delete(name)
    places.set(name, nowMs)
    for (const [oldest, atMs] of places) {
      if (places.size <= placesMax) break
      places.delete(oldest)
      const worldId = oldest.split('/', 1)[0] ?? ''
      worlds.set(worldId, Math.max(worlds.get(worldId) ?? 0, atMs))
    }
  }

  const take = (report: TileReport, before: TileReport | undefined): void => {
    const nowMs = clock.monotonic()
    const { worldId, since, tiles } = report
    if (before?.worldId !== worldId || before.last < since) worlds.set(worldId, nowMs)
    else
      for (const { tx, tz, at } of tiles)
        if (at > before.last)
          for (let zoom = 0; zoom <= zoomMax; zoom += 1) note(nameOf(worldId, { zoom, tx: tx >> zoom, tz: tz >> zoom }), nowMs)
  }

  const read = async (): Promise<void> => {
    try {
      const next = new Map<string, TileReport>()
      for (const { nodeId, text } of await nodeReports.list('tiles')) {
        const report = parseReport(readJson(text))
        // A report of another version is skipped. Its tiles are valid for as long as without a node.
        if (!report.ok) continue
        const before = seen.get(nodeId)
        if (before?.last !== report.value.last || before.worldId !== report.value.worldId) take(report.value, before)
        next.set(nodeId, report.value)
      }
      seen = next
    } catch (error) {
      // No world is followed now. After the next report, everything that was missed counts as changed.
      seen = new Map()
      log.debug({ err: error }, 'the changes of map tiles cannot be read')
    }
  }

  return {
    refresh: async () => {
      if (reading === undefined && clock.monotonic() - readAtMs >= changesFreshMs) {
        const startedMs = clock.monotonic()
        reading = read().finally(() => {
          readAtMs = startedMs
          reading = undefined
        })
      }
      await reading
    },
    changedAtMs: (worldId, place) =>
      Math.max(worlds.get(worldId) ?? Number.NEGATIVE_INFINITY, places.get(nameOf(worldId, place)) ?? Number.NEGATIVE_INFINITY),
    isFollowed: (worldId) => [...seen.values()].some((report) => report.worldId === worldId),
  }
}
