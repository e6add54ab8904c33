import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { readLeaseHolder } from '../../../../shared/platform/process/lease-holder.ts'
import { createTempDir } from '../../../support/processes/temp-dir.ts'

describe('this process as holder of a lease', () => {
  let dir: Awaited<ReturnType<typeof createTempDir>>
  beforeEach(async () => {
    dir = await createTempDir()
  })
  afterEach(() => dir.remove())

  it('has a readable name that is the same each time', async () => {
    const holder = await readLeaseHolder(join(dir.path, 'absent'))
    expect(holder).toMatchObject({ name: expect.stringContaining(String(process.pid)), pid: process.pid })
    expect(await readLeaseHolder(join(dir.path, 'absent'))).toEqual(holder)
  })

  it('is the same for all concurrent callers', async () => {
    const holders = await Promise.all(Array.from({ length: 5 }, () => readLeaseHolder(dir.path)))
    expect(new Set(holders.map(({ machineId }) => machineId)).size).toBe(1)
  })

  it('differs for another data folder, even a copy, because that has other locks', async () => {
    const [one, other] = [await readLeaseHolder(join(dir.path, 'a')), await readLeaseHolder(join(dir.path, 'b'))]
    expect(one.machineId).not.toBe(other.machineId)
    await cp(join(dir.path, 'a'), join(dir.path, 'c'), { recursive: true })
    expect((await readLeaseHolder(join(dir.path, 'c'))).machineId).not.toBe(one.machineId)
  })
})
