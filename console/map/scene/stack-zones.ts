import type { MapZone } from './map-zones.ts'
import { type Area, columnSize, doAreasMeet } from './view.ts'

/** Zones of one outline at different heights are drawn as one. */
export type Stack = { readonly zone: MapZone; readonly others: number; readonly isEnabled: boolean; readonly isChosen: boolean }

/** Whether the zone has every column of its area. */
export const isRectangle = ({ area, chunks }: MapZone): boolean =>
  chunks.length * columnSize ** 2 === (area.maxX - area.minX + 1) * (area.maxZ - area.minZ + 1)

/** Groups the zones in an area. Of each group, the selected zone or else the first names it. */
export const stackZones = (
  zones: Iterable<MapZone>,
  area: Area,
  drafted: string | undefined,
  chosen: string | undefined,
): Stack[] => {
  const stacks = new Map<string, Stack>()
  for (const zone of zones) {
    if (zone.id === drafted || !doAreasMeet(zone.area, area)) continue
    const { minX, minZ, maxX, maxZ } = zone.area
    const outline = isRectangle(zone) ? `${minX} ${minZ} ${maxX} ${maxZ}` : zone.id
    const before = stacks.get(outline)
    const isChosen = zone.id === chosen
    stacks.set(outline, {
      zone: before === undefined || isChosen ? zone : before.zone,
      others: before === undefined ? 0 : before.others + 1,
      isEnabled: zone.enabled || before?.isEnabled === true,
      isChosen: isChosen || before?.isChosen === true,
    })
  }
  return [...stacks.values()]
}
