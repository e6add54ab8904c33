import { areaOfColumns, columnAt, readColumn } from '../scene/columns.ts'
import type { Draft, DraftFaults } from '../scene/draft.ts'
import type { MapModel } from '../scene/map-model.ts'
import type { MapZones } from '../scene/map-zones.ts'
import { listTiles, tileSize, zoomOf } from '../scene/tile-grid.ts'
import type { Tiles } from '../scene/tiles.ts'
import { type Area, areaOf, columnSize, toScreen } from '../scene/view.ts'
import { drawZones } from './draw-zones.ts'
import type { Pen } from './pen.ts'
import type { ZoneName } from './place-names.ts'

export const colours = {
  draft: 'rgb(80 220 255 / 45%)',
  draftLine: '#7fe8ff',
  fault: 'rgb(255 60 60 / 60%)',
  ungenerated: 'rgb(255 180 40 / 65%)',
  box: '#ffe14a',
  grid: 'rgb(255 255 255 / 28%)',
  dark: 'rgb(0 0 0 / 65%)',
}

const drawTiles = ({ context, view, size }: Pen, tiles: Tiles, ratio: number): void => {
  tiles.begin()
  context.imageSmoothingEnabled = view.scale * ratio < 1
  const zoom = zoomOf(view.scale * ratio)
  for (const place of listTiles(zoom, areaOf(view, size))) {
    const span = tileSize * 2 ** zoom
    const { left, top } = toScreen(view, size, place.tx * span, place.tz * span)
    const picture = tiles.get(place)
    // Rounds edges to whole pixels, so that no seams show between tiles.
    const [x, y] = [Math.round(left * ratio) / ratio, Math.round(top * ratio) / ratio]
    const right = Math.round((left + span * view.scale) * ratio) / ratio
    const bottom = Math.round((top + span * view.scale) * ratio) / ratio
    if (picture !== undefined) context.drawImage(picture, x, y, right - x, bottom - y)
    else {
      // Until the tile is loaded, a coarser one is drawn.
      const coarse = tiles.peek({ zoom: zoom + 1, tx: Math.floor(place.tx / 2), tz: Math.floor(place.tz / 2) })
      const half = tileSize / 2
      const [partX, partZ] = [(((place.tx % 2) + 2) % 2) * half, (((place.tz % 2) + 2) % 2) * half]
      if (coarse !== undefined) context.drawImage(coarse, partX, partZ, half, half, x, y, right - x, bottom - y)
    }
  }
}

const drawGrid = ({ context, view, size }: Pen): void => {
  const step = columnSize * view.scale
  if (step < 6) return
  const area = areaOf(view, size)
  context.beginPath()
  for (let { cx } = columnAt(area.minX, 0); cx * columnSize <= area.maxX; cx += 1) {
    const left = Math.round(toScreen(view, size, cx * columnSize, 0).left) + 0.5
    context.moveTo(left, 0)
    context.lineTo(left, size.height)
  }
  for (let { cz } = columnAt(0, area.minZ); cz * columnSize <= area.maxZ; cz += 1) {
    const top = Math.round(toScreen(view, size, 0, cz * columnSize).top) + 0.5
    context.moveTo(0, top)
    context.lineTo(size.width, top)
  }
  context.lineWidth = 1
  context.strokeStyle = colours.grid
  context.stroke()
}

const fillColumns = ({ context, view, size }: Pen, columns: Iterable<string>, colour: string): void => {
  const side = Math.max(columnSize * view.scale, 1)
  context.fillStyle = colour
  for (const name of columns) {
    const { cx, cz } = readColumn(name)
    const { left, top } = toScreen(view, size, cx * columnSize, cz * columnSize)
    if (left > -side && top > -side && left < size.width && top < size.height) context.fillRect(left, top, side, side)
  }
}

const drawDraft = (pen: Pen, draft: Draft, faults: DraftFaults): void => {
  const isGood = (name: string) => !faults.overlapping.has(name) && !faults.ungenerated.has(name)
  fillColumns(pen, [...draft.columns].filter(isGood), colours.draft)
  fillColumns(pen, faults.ungenerated, colours.ungenerated)
  fillColumns(pen, faults.overlapping, colours.fault)
}

const drawBox = ({ context, view, size }: Pen, { minX, minZ, maxX, maxZ }: Area): void => {
  const from = toScreen(view, size, minX, minZ)
  const to = toScreen(view, size, maxX + 1, maxZ + 1)
  const wide = Math.max(to.left - from.left, 4)
  const high = Math.max(to.top - from.top, 4)
  for (const [width, colour] of [
    [4, colours.dark],
    [2, colours.box],
  ] as const) {
    context.lineWidth = width
    context.strokeStyle = colour
    context.strokeRect(from.left, from.top, wide, high)
  }
}

type Ground = {
  readonly model: MapModel
  readonly tiles: Tiles
  readonly zones: MapZones
  readonly faults: DraftFaults | undefined
  readonly ratio: number
}

/** Draws all but the players and the names of zones. Returns the names. */
export const drawGround = (
  context: CanvasRenderingContext2D,
  { model, tiles, zones, faults, ratio }: Ground,
): readonly ZoneName[] => {
  const [view, size] = [model.view.value, model.size.value]
  const pen: Pen = { context, view, size }
  context.setTransform(ratio, 0, 0, ratio, 0, 0)
  context.clearRect(0, 0, size.width, size.height)
  drawTiles(pen, tiles, ratio)
  const draft = model.draft.value
  const names = drawZones(pen, zones, draft?.base?.zone.id, model.zone.value)
  if (draft !== undefined) {
    drawGrid(pen)
    if (faults !== undefined) drawDraft(pen, draft, faults)
    const pulled = model.pulled.value
    const area = pulled && areaOfColumns([pulled.from, pulled.to])
    if (area !== undefined) drawBox(pen, area)
  }
  if (model.box.value !== undefined) drawBox(pen, model.box.value)
  return names
}
