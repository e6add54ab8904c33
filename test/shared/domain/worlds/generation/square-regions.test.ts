import { describe, expect, it } from '@jest/globals'
import { squareRegions } from '../../../../../shared/domain/worlds/generation/square-regions.ts'

describe('the regions of a square', () => {
  it.each([0, 1, 31, 32, 33, 64, 100])('cover each column of radius %i once and no other', (radius) => {
    const seen = new Set<string>()
    let columns = 0
    let farthest = 0
    for (const { minCx, maxCx, minCz, maxCz } of squareRegions(radius))
      for (let cx = minCx; cx <= maxCx; cx += 1)
        for (let cz = minCz; cz <= maxCz; cz += 1) {
          seen.add(`${cx},${cz}`)
          columns += 1
          farthest = Math.max(farthest, Math.abs(cx), Math.abs(cz))
        }
    expect([columns, seen.size, farthest]).toEqual([(2 * radius + 1) ** 2, (2 * radius + 1) ** 2, radius])
  })

  it('begin in the middle and are computed lazily', () => {
    const [first] = squareRegions(1_874_999)
    expect(first).toEqual({ minCx: 0, maxCx: 31, minCz: 0, maxCz: 31 })
  })
})
