import { expect, it } from '@jest/globals'
import { findFreePort } from './free-port.ts'

it('never returns a port twice, although none of them is used yet', async () => {
  const ports = await Promise.all(Array.from({ length: 500 }, findFreePort))
  expect(new Set(ports).size).toBe(ports.length)
})
