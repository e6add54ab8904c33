import {
  areaOfColumns,
  type Column,
  type Columns,
  columnsMax,
  type Generated,
  listColumns,
  nameColumn,
  readColumn,
  toColumns,
} from './columns.ts'

import type { MapZone } from './map-zones.ts'
import { columnSize, doAreasMeet } from './view.ts'

/** An unsaved zone on the map: a new one, or changes to an existing one. */
export type Draft = {
  /** The zone as it was read; absent for a new one. */
  readonly base?: { readonly zone: MapZone; readonly etag: string | undefined }
  readonly name: string
  readonly yMin: number
  readonly yMax: number
  readonly columns: Columns
}

/** The highest block of a world. */
export const heightMax = 255

export const newDraft: Draft = { name: '', yMin: 0, yMax: heightMax, columns: new Set() }

export const addColumns = (draft: Draft, list: readonly Column[]): Draft => ({
  ...draft,
  columns: new Set([...draft.columns, ...toColumns(list)]),
})

export const removeColumns = (draft: Draft, list: readonly Column[]): Draft => {
  const gone = toColumns(list)
  return { ...draft, columns: new Set([...draft.columns].filter((name) => !gone.has(name))) }
}

export type DraftFaults = {
  /** Zones that share a column and a height with the draft. */
  readonly overlaps: readonly MapZone[]
  /** The shared columns. */
  readonly overlapping: Columns
  readonly ungenerated: Columns
  readonly isTooLarge: boolean
  readonly isInsideOut: boolean
}

const findUngenerated = (columns: Columns, { area, columns: known }: Generated): Columns =>
  new Set(
    [...columns].filter((name) => {
      const [x, z] = [readColumn(name).cx * columnSize, readColumn(name).cz * columnSize]
      const isKnown = x + columnSize > area.minX && x <= area.maxX && z + columnSize > area.minZ && z <= area.maxZ
      return isKnown && !known.has(name)
    }),
  )

/** Faults that the server would refuse. `generated` is the known part of the world; without it, that check is skipped. */
export const findFaults = (draft: Draft, zones: Iterable<MapZone>, generated: Generated | undefined): DraftFaults => {
  const area = areaOfColumns(listColumns(draft.columns))
  const overlaps: MapZone[] = []
  const overlapping = new Set<string>()
  if (area !== undefined)
    for (const zone of zones) {
      if (zone.id === draft.base?.zone.id || zone.yMin > draft.yMax || zone.yMax < draft.yMin || !doAreasMeet(area, zone.area))
        continue
      const common = zone.chunks.map(({ cx, cz }) => nameColumn(cx, cz)).filter((name) => draft.columns.has(name))
      if (common.length === 0) continue
      overlaps.push(zone)
      for (const name of common) overlapping.add(name)
    }
  return {
    overlaps,
    overlapping,
    ungenerated: generated === undefined ? new Set() : findUngenerated(draft.columns, generated),
    isTooLarge: draft.columns.size > columnsMax,
    isInsideOut: draft.yMin >= draft.yMax,
  }
}

export const hasFaults = ({ overlaps, ungenerated, isTooLarge, isInsideOut }: DraftFaults): boolean =>
  overlaps.length > 0 || ungenerated.size > 0 || isTooLarge || isInsideOut
