import { expect, it } from '@jest/globals'
import { firstByName } from '../../../console/map/scene/first-by-name.ts'
import { addZones, findZonesAt } from '../../../console/map/scene/map-zones.ts'
import { stackZones } from '../../../console/map/scene/stack-zones.ts'

const zoneOf = (id: string, chunks: readonly { readonly cx: number; readonly cz: number }[], enabled = true) => ({
  id,
  name: id,
  yMin: 0,
  yMax: 9,
  chunks,
  enabled,
})
const square = (from: number, side: number) =>
  Array.from({ length: side * side }, (_, at) => ({ cx: from + (at % side), cz: Math.floor(at / side) }))
const everywhere = { minX: -10_000, minZ: -10_000, maxX: 10_000, maxZ: 10_000 }

it('finds small and large zones by one of their columns', () => {
  const corner = zoneOf('corner', [
    { cx: -1, cz: -1 },
    { cx: 40, cz: 3 },
  ])
  const zones = addZones(new Map(), [zoneOf('small', square(15, 2)), zoneOf('large', square(-100, 300)), corner])
  const namesAt = (cx: number, cz: number) => findZonesAt(zones, { cx, cz }).map(({ name }) => name)
  expect(namesAt(16, 1)).toEqual(['small', 'large'])
  expect(namesAt(14, 1)).toEqual(['large'])
  expect(namesAt(-1, -1)).toEqual(['corner'])
  expect(namesAt(40, 3)).toEqual(['corner', 'large'])
  expect(namesAt(0, -1)).toEqual([])
})

it('draws zones of one outline once, named by the selected one', () => {
  const zones = addZones(new Map(), [
    zoneOf('cellar', square(0, 2), false),
    zoneOf('hall', square(0, 2)),
    zoneOf('roof', square(0, 2)),
    zoneOf('next', square(2, 2)),
  ])
  const stacksOf = (drafted?: string, chosen?: string) =>
    stackZones(zones.values(), everywhere, drafted, chosen).map(({ zone, others, isEnabled }) => [zone.name, others, isEnabled])
  expect(stacksOf()).toEqual([
    ['cellar', 2, true],
    ['next', 0, true],
  ])
  expect(stacksOf('cellar', 'roof')).toEqual([
    ['roof', 1, true],
    ['next', 0, true],
  ])
})

it('returns the first names of a list in order, a preferred one first', () => {
  const names = Array.from({ length: 300 }, (_, at) => `Zone ${(at * 7) % 300}`)
  const sorted = names.toSorted(new Intl.Collator().compare)
  expect(firstByName(names, 50, (name) => name)).toEqual(sorted.slice(0, 50))
  expect(
    firstByName(
      names,
      3,
      (name) => name,
      (name) => name === 'Zone 299',
    ),
  ).toEqual(['Zone 299', ...sorted.slice(0, 2)])
  expect(firstByName(['b', 'a'], 9, (name) => name)).toEqual(['a', 'b'])
})
