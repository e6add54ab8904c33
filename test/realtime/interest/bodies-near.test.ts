import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { listBodiesNear } from '../../../realtime/interest/bodies-near.ts'
import { createBody } from '../../../realtime/interest/body.ts'
import { createCells } from '../../../realtime/interest/cells.ts'

const place = fc.record({ x: fc.integer({ min: -70, max: 70 }), z: fc.integer({ min: -70, max: 70 }) })

it('misses nobody within the distance, across the edges of cells', () => {
  fc.assert(
    fc.property(fc.array(place, { maxLength: 20 }), place, fc.integer({ min: 0, max: 20 }), (places, at, blocks) => {
      const cells = createCells()
      const bodies = places.map(({ x, z }, ref) => createBody(ref, `p${ref}`, `p${ref}`, { x, y: 64, z, yaw: 0, pitch: 0 }))
      for (const body of bodies) cells.place(body)
      const near = new Set(listBodiesNear(cells, at, blocks))
      for (const body of bodies)
        if (Math.abs(body.x - at.x) <= blocks && Math.abs(body.z - at.z) <= blocks) expect(near).toContain(body)
    }),
  )
})
