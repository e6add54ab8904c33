import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from '@jest/globals'
import { open } from 'lmdb'
import { createRandom } from '../../../../../../bench/campaign/random.ts'
import type { ChunkStore } from '../../../../../../shared/domain/worlds/store/chunk-store.ts'
import { createLmdbChunkStore } from '../../../../../../shared/domain/worlds/store/lmdb/chunk-store-lmdb.ts'
import { columnKey, regionKey, stateKey } from '../../../../../../shared/domain/worlds/store/lmdb/lmdb-keys.ts'
import { createTempDir } from '../../../../../support/processes/temp-dir.ts'

const world = { name: 'north', id: '0c7f4a36-2b1d-4a8e-9a63-53a1f0f0b5c1' }
const at = (cx: number, cz: number, byte = 1) => ({ cx, cz, bytes: Uint8Array.of(byte) })
const keyOf = ({ cx, cz }: { readonly cx: number; readonly cz: number }): string => `${cx},${cz}`

let dir: Awaited<ReturnType<typeof createTempDir>>
let store: ChunkStore
beforeEach(async () => {
  dir = await createTempDir()
  store = createLmdbChunkStore({ path: dir.path })
})
afterEach(async () => {
  await store.close()
  await dir.remove()
})

const listColumns = async (): Promise<readonly string[]> => {
  const keys: string[] = []
  for await (const { cx, czs } of store.discovered(world)) keys.push(...Array.from(czs, (cz) => keyOf({ cx, cz })))
  return keys.sort()
}
const openRecords = () =>
  open<Buffer, Buffer>({ path: join(dir.path, world.name), noSubdir: false, encoding: 'binary', keyEncoding: 'binary' })

it('counts and lists sequential and concurrent writes over many regions', async () => {
  const random = createRandom('alone')
  const expected = new Map<string, number>()
  const place = () => ({ cx: random.int(-12, 12) * 32, cz: random.int(-2, 2) * 32 })
  const put = (byte: number): Promise<void> => {
    const columns = Array.from({ length: random.int(1, 90) }, () => ({ ...place(), bytes: Uint8Array.of(byte) }))
    for (const column of columns) expected.set(keyOf(column), byte)
    return store.putMany(world, columns, 5)
  }
  const setAside = (): Promise<void> => {
    const pos = place()
    expected.delete(keyOf(pos))
    return store.setAside(world, pos, 5)
  }
  for (let step = 1; step <= 60; step += 1) {
    const writes = Array.from({ length: random.chance(0.6) ? 1 : 3 }, () => (random.chance(0.2) ? setAside() : put(step)))
    await Promise.all(writes)
    expect((await store.stats(world)).chunkCount).toBe(expected.size)
  }
  const check = async () => {
    expect(await listColumns()).toEqual([...expected.keys()].sort())
    const positions = [...expected.keys()].map((key) => {
      const [cx = 0, cz = 0] = key.split(',').map(Number)
      return { cx, cz }
    })
    expect((await store.getMany(world, positions)).map((bytes) => bytes?.[0])).toEqual([...expected.values()])
  }
  await check()
  await store.close()
  store = createLmdbChunkStore({ path: dir.path })
  await check()
})

it('begins a write after two overlapping ones from the state that both left', async () => {
  await store.putMany(world, [at(0, 0)], 5)
  const [first, second] = [store.putMany(world, [at(0, 1)], 5), store.putMany(world, [at(0, 2)], 5)]
  await first
  const third = store.putMany(world, [at(0, 3)], 5)
  await Promise.all([second, third])
  await store.putMany(world, [at(0, 4)], 5)
  expect((await store.stats(world)).chunkCount).toBe(5)
  expect(await listColumns()).toEqual(['0,0', '0,1', '0,2', '0,3', '0,4'])
})

it.each([0, 1, 0xf0_7f, 2 ** 40 + 0x80, Number.MAX_SAFE_INTEGER])(
  'writes under the fence %d repeatedly, and refuses the former holder of the lease',
  async (fence) => {
    for (const cz of [0, 1, 2]) await store.putMany(world, [at(0, cz)], fence)
    if (fence > 0) await expect(store.putMany(world, [at(0, 3)], fence - 1)).rejects.toMatchObject({ slug: 'lease-lost' })
    await store.putMany(world, [at(0, 4)], fence)
    expect(await listColumns()).toEqual(['0,0', '0,1', '0,2', '0,4'])
    expect((await store.stats(world)).chunkCount).toBe(4)
  },
)

it('writes nothing after another process wrote under a later fence', async () => {
  for (const cz of [0, 1]) await store.putMany(world, [at(0, cz)], 5)
  const others = openRecords()
  const state = Buffer.alloc(16)
  state.writeBigUInt64BE(6n, 0)
  state.writeBigUInt64BE(2n, 8)
  await others.put(stateKey, state)
  await expect(store.putMany(world, [at(0, 2)], 5)).rejects.toMatchObject({ slug: 'lease-lost' })
  expect(others.getBinary(columnKey({ cx: 0, cz: 2 }))).toBeUndefined()
  expect(await listColumns()).toEqual(['0,0', '0,1'])
  await others.close()
})

it('continues from the writes of others once it has the lease again', async () => {
  for (const cz of [0, 1]) await store.putMany(world, [at(0, cz)], 5)
  const others = openRecords()
  const state = Buffer.alloc(16)
  state.writeBigUInt64BE(6n, 0)
  state.writeBigUInt64BE(3n, 8)
  const bits = Buffer.from(others.getBinary(regionKey({ rx: 0, rz: 0 })) ?? [])
  bits.writeInt32LE(0b10_0011, 0)
  await others.put(columnKey({ cx: 0, cz: 5 }), Buffer.of(9))
  await others.put(regionKey({ rx: 0, rz: 0 }), bits)
  await others.put(stateKey, state)
  for (const cz of [7, 8]) await store.putMany(world, [at(0, cz)], 7)
  expect(await listColumns()).toEqual(['0,0', '0,1', '0,5', '0,7', '0,8'])
  expect((await store.stats(world)).chunkCount).toBe(5)
  await others.close()
})

it('writes nothing of a batch when its current state cannot be read', async () => {
  await store.putMany(world, [at(0, 0, 3)], 5)
  const others = openRecords()
  await others.put(regionKey({ rx: 1, rz: 0 }), Buffer.alloc(3))
  const beside = [{ key: 'beside', bytes: Uint8Array.of(1) }]
  await expect(store.putMany(world, [at(0, 0, 7), at(40, 5)], 5, beside)).rejects.toThrow()
  expect((await store.getMany(world, [at(0, 0), at(40, 5)])).map((bytes) => bytes?.[0])).toEqual([3, undefined])
  expect((await store.stats(world)).chunkCount).toBe(1)
  await others.close()
})
