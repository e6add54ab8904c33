import { describe, expect, it } from '@jest/globals'
import { listLine, listRectangle, toColumns } from '../../../console/map/scene/columns.ts'
import { addColumns, findFaults, hasFaults, newDraft, removeColumns } from '../../../console/map/scene/draft.ts'
import { addListed, addZones, findZonesAt, isSameZone } from '../../../console/map/scene/map-zones.ts'

const record = (id: string, cx: number, yMin = 0, yMax = 255) => ({
  id,
  name: id,
  yMin,
  yMax,
  chunks: [
    { cx, cz: 0 },
    { cx, cz: -1 },
  ],
  enabled: true,
})
const generated = {
  area: { minX: -160, minZ: -160, maxX: 159, maxZ: 159 },
  columns: toColumns(listRectangle({ cx: -10, cz: -10 }, { cx: 4, cz: 9 })),
}
const drawn = addColumns({ ...newDraft, name: 'New', yMin: 40, yMax: 80 }, listRectangle({ cx: 2, cz: 0 }, { cx: 0, cz: 1 }))

describe('a drawn zone', () => {
  it('grows by rectangles from any corner, and by a line between pointer positions', () => {
    expect(drawn.columns).toEqual(new Set(['0,0', '0,1', '1,0', '1,1', '2,0', '2,1']))
    expect(listLine({ cx: 0, cz: 0 }, { cx: -3, cz: 1 })).toHaveLength(4)
    expect(removeColumns(drawn, [{ cx: 1, cz: 0 }]).columns.size).toBe(5)
  })

  it('overlaps only zones at the same height, and never its own record', () => {
    const zones = addZones(new Map(), [record('low', 0, 0, 39), record('same', 2, 80, 90), record('far', 7)])
    const faults = findFaults(drawn, zones.values(), generated)
    expect(faults.overlaps.map(({ id }) => id)).toEqual(['same'])
    expect(faults.overlapping).toEqual(new Set(['2,0']))
    expect(hasFaults(faults)).toBe(true)
    const same = [...zones.values()].find(({ id }) => id === 'same')
    if (same === undefined) throw new Error('no zone')
    const changed = { ...drawn, base: { zone: same, etag: undefined } }
    expect(hasFaults(findFaults(changed, zones.values(), generated))).toBe(false)
  })

  it('names columns that are not generated, in the known land', () => {
    const wide = addColumns(drawn, [
      { cx: 5, cz: 0 },
      { cx: 100, cz: 0 },
    ])
    expect(findFaults(wide, [], generated).ungenerated).toEqual(new Set(['5,0']))
    expect(findFaults(wide, [], undefined).ungenerated.size).toBe(0)
  })

  it('has a height, and at most 4,096 columns', () => {
    expect(findFaults({ ...drawn, yMin: 80 }, [], generated).isInsideOut).toBe(true)
    const large = addColumns(drawn, listRectangle({ cx: 0, cz: 0 }, { cx: 64, cz: 63 }))
    expect(findFaults(large, [], undefined).isTooLarge).toBe(true)
  })
})

it('finds the zones of a column, and detects a zone that another admin has changed', () => {
  const zones = addZones(new Map(), [record('one', 3), record('other', 4)])
  expect(findZonesAt(zones, { cx: 3, cz: -1 }).map(({ id }) => id)).toEqual(['one'])
  const [one, other] = [...zones.values()]
  if (one === undefined || other === undefined) throw new Error('no zones')
  expect(isSameZone(one, { ...one })).toBe(true)
  expect(isSameZone(one, { ...one, chunks: other.chunks })).toBe(false)
  expect(addZones(zones, [], ['one']).size).toBe(1)
})

it('keeps events from the time when the list of all zones was loading', () => {
  const before = addZones(new Map(), [record('same', 1), record('moved', 2), record('gone', 3)])
  const now = addZones(before, [record('moved', 5), record('new', 6)], ['gone'])
  const listed = [record('same', 1), record('moved', 2), record('gone', 3), record('far', 9)]
  const zones = addListed(listed, before, now)
  expect([...zones.keys()].sort()).toEqual(['far', 'moved', 'new', 'same'])
  expect(zones.get('moved')?.chunks[0]).toEqual({ cx: 5, cz: 0 })
  // Without events since, the list wins: elsewhere the zone changed while the feed was away.
  expect(addListed([], before, before).size).toBe(0)
})
