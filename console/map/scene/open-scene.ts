import { effect } from '@preact/signals'
import { call } from '../../state/api.ts'
import { mayDo } from '../../state/session.ts'
import { areaOfColumns, type Generated, listColumns, nameColumn } from './columns.ts'
import { type DraftFaults, findFaults } from './draft.ts'
import { followWorld, type LiveWorld } from './live-world.ts'
import type { MapModel } from './map-model.ts'
import { addListed } from './map-zones.ts'
import { createTiles, type Tiles } from './tiles.ts'
import { type Area, areaOf, columnSize } from './view.ts'

/** An open map with its feed, tiles and zones. */
export type Scene = {
  readonly live: LiveWorld
  tiles(): Tiles
  /** Faults of the draft that the server would refuse. */
  faults(): DraftFaults | undefined
  /** Calls back when a tile arrives; returns a function to stop. */
  onPicture(act: () => void): () => void
  close(): void
}

const settleMs = 250
const listAgainMs = 500

/** The most columns in a request: more than a screen shows while single columns can be seen. */
const sideMax = 512

/** Whether one request can cover the columns. */
const isSmall = ({ minX, minZ, maxX, maxZ }: Area): boolean =>
  maxX - minX < sideMax * columnSize && maxZ - minZ < sideMax * columnSize

/** The columns of an area that are generated. */
const loadGenerated = async (world: string, area: Area, signal: AbortSignal): Promise<Generated> => {
  const at = (block: number): number => Math.floor(block / columnSize)
  const box = { minCx: at(area.minX), maxCx: at(area.maxX), minCz: at(area.minZ), maxCz: at(area.maxZ) }
  const { body } = await call('GET /api/admin/chunks/discovered', { query: { world, ...box }, signal })
  return { area, columns: new Set(body.map(({ cx, cz }) => nameColumn(cx, cz))) }
}

/** Acts when the value has stopped changing. */
const createRest = (milliseconds: number, act: () => void) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  return {
    ask: (): void => {
      clearTimeout(timer)
      timer = setTimeout(act, milliseconds)
    },
    stop: (): void => clearTimeout(timer),
  }
}

const widen = (area: Area, by: Area | undefined): Area =>
  by === undefined
    ? area
    : {
        minX: Math.min(area.minX, by.minX),
        minZ: Math.min(area.minZ, by.minZ),
        maxX: Math.max(area.maxX, by.maxX),
        maxZ: Math.max(area.maxZ, by.maxZ),
      }

const holds = (one: Area, other: Area): boolean =>
  one.minX <= other.minX && one.minZ <= other.minZ && one.maxX >= other.maxX && one.maxZ >= other.maxZ

export const openScene = (world: string, model: MapModel): Scene => {
  const listeners = new Set<() => void>()
  const over = new AbortController()
  const changed = (): void => {
    for (const act of listeners) act()
  }
  let isStale = false
  let tiles = createTiles(world, model.height.peek(), changed)
  const viewArea = (): Area => areaOf(model.view.peek(), model.size.peek())

  const listZones = async (): Promise<void> => {
    if (!mayDo('admin.instances.read')) return
    const before = live.zones.peek()
    try {
      const { body } = await call('GET /api/admin/instances', { query: { world }, signal: over.signal })
      live.zones.value = addListed(body, before, live.zones.peek())
    } catch {
      // The feed still reports the zones in view, and the page says that the server is unreachable.
    }
  }
  const listing = createRest(listAgainMs, () => void listZones())
  const live = followWorld({
    world,
    area: viewArea(),
    onTiles: (places) => {
      tiles.reload(places)
      isStale = true
      generating.ask()
    },
    onZonesLost: listing.ask,
  })
  const generating = createRest(settleMs, () => {
    const draft = model.draft.peek()
    if (draft === undefined) return
    const drawn = areaOfColumns(listColumns(draft.columns))
    // A draft takes precedence over the zones beside it.
    const area = [widen(viewArea(), drawn), drawn ?? viewArea()].find(isSmall)
    if (area === undefined) return
    const known = model.generated.peek()
    if (known !== undefined && !isStale && holds(known.area, area)) return
    isStale = false
    void loadGenerated(world, area, over.signal).then(
      (columns) => {
        model.generated.value = columns
      },
      () => undefined,
    )
  })
  const looking = createRest(settleMs, () => live.look(viewArea()))
  void listZones()

  const stops = [
    effect(() => {
      void model.view.value
      if (model.size.value.width > 0) looking.ask()
    }),
    effect(() => {
      void model.view.value
      if (model.draft.value !== undefined) generating.ask()
      else model.generated.value = undefined
    }),
    effect(() => {
      const height = model.height.value
      tiles.close()
      tiles = createTiles(world, height, changed)
    }),
  ]
  return {
    live,
    tiles: () => tiles,
    faults: () => {
      const draft = model.draft.value
      return draft && findFaults(draft, live.zones.value.values(), model.generated.value)
    },
    onPicture: (act) => {
      listeners.add(act)
      return () => listeners.delete(act)
    },
    close: () => {
      over.abort()
      for (const one of [listing, generating, looking]) one.stop()
      for (const stop of stops) stop()
      live.close()
      tiles.close()
    },
  }
}
