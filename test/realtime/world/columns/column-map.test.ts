import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { createColumnMap } from '../../../../realtime/world/columns/column-map.ts'
import { chunkMax, chunkMin } from '../../../../shared/rules/positions.ts'

const coordinate = fc.oneof(fc.integer({ min: -40, max: 40 }), fc.constantFrom(chunkMin, chunkMax, 0, -1, 15, 16, -16, -17))
const step = fc.record({ cx: coordinate, cz: coordinate, isDelete: fc.boolean(), value: fc.nat() })

describe('a map of columns', () => {
  it('behaves like a map of both coordinates, whatever is added and deleted', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const map = createColumnMap<number>()
        const model = new Map<string, number>()
        for (const { cx, cz, isDelete, value } of steps) {
          if (isDelete) {
            map.delete(cx, cz)
            model.delete(`${cx},${cz}`)
          } else {
            map.set(cx, cz, value)
            model.set(`${cx},${cz}`, value)
          }
          expect(map.get(cx, cz)).toBe(model.get(`${cx},${cz}`))
          expect(map.size()).toBe(model.size)
        }
        for (const { cx, cz } of steps) expect(map.get(cx, cz)).toBe(model.get(`${cx},${cz}`))
        expect(map.values().sort()).toEqual([...model.values()].sort())
      }),
    )
  })
})
