import { join } from 'node:path'
import { afterEach, describe, expect, it } from '@jest/globals'
import {
  createGenerationPool,
  type GenerationPool,
  type GenerationPoolOptions,
} from '../../../realtime/workers/generation-pool.ts'
import { catalogue } from '../../../shared/domain/configs/catalogue.ts'
import { registryOf } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { encodeChunk } from '../../../shared/domain/worlds/chunks/compress-chunk.ts'
import { decodeChunk } from '../../../shared/domain/worlds/chunks/decode-chunk.ts'
import { createGenerator } from '../../../shared/domain/worlds/generation/generators.ts'
import { createTempDir } from '../../support/processes/temp-dir.ts'

const parsed = catalogue['blocks.yaml'].parse({})
if (!parsed.ok) throw new Error('the shipped blocks are not valid')
const blocks = parsed.value
const world = { seed: 7, generator: 'terrain-1', settings: {} }
const never = new AbortController().signal
const wanted = (distance: number, signal = never) => ({ distance: () => distance, signal })

const opened: GenerationPool[] = []
const open = (options: Partial<GenerationPoolOptions> = {}): GenerationPool => {
  const pool = createGenerationPool({ world, blocks, threads: 1, ...options })
  opened.push(pool)
  return pool
}
afterEach(async () => {
  await Promise.all(opened.splice(0).map((pool) => pool.close()))
})

describe('createGenerationPool', () => {
  it('makes the same bytes as the generator of the world in this thread', async () => {
    const pool = open({ threads: 2 })
    const registry = registryOf(blocks)
    const generator = createGenerator({ version: 'terrain-1', seed: 7, settings: {}, registry })
    const positions = [-1, 0, 1].flatMap((cx) => [0, 5].map((cz) => ({ cx, cz })))
    const records = await Promise.all(positions.map((pos) => pool.generate(pos, wanted(Math.abs(pos.cx)))))
    for (const [place, pos] of positions.entries()) {
      expect(Buffer.compare(records[place] ?? Buffer.of(), encodeChunk(generator.generate(pos.cx, pos.cz), registry))).toBe(0)
      expect(decodeChunk(records[place] ?? Buffer.of(), pos, registry)).toMatchObject({ ok: true })
    }
  })

  it('starts the nearest of many first, and skips aborted ones', async () => {
    const pool = open()
    const order: number[] = []
    const controller = new AbortController()
    const results = Array.from({ length: 40 }, async (_, place) => {
      const distance = (place * 7) % 40
      await pool.generate({ cx: distance, cz: 0 }, wanted(distance, distance % 2 === 0 ? never : controller.signal))
      order.push(distance)
    })
    controller.abort()
    const failures = (await Promise.allSettled(results)).filter(({ status }) => status === 'rejected')
    expect(failures).toHaveLength(20)
    expect(failures[0]).toMatchObject({ reason: { name: 'AbortError' } })
    expect(order).toEqual(Array.from({ length: 20 }, (_, place) => place * 2))
  })

  it('refuses a world of an unknown generator', () => {
    const future = { ...world, generator: 'terrain-99' }
    expect(() => open({ world: future })).toThrow(expect.objectContaining({ kind: 'unavailable', slug: 'world-unusable' }))
  })

  it('rejects unfinished work on close, and ends its threads', async () => {
    const pool = open()
    const results = Array.from({ length: 30 }, (_, cx) => pool.generate({ cx, cz: 0 }, wanted(cx)))
    const settled = Promise.allSettled(results)
    await pool.close()
    expect((await settled).at(-1)).toMatchObject({ status: 'rejected', reason: { kind: 'unavailable' } })
    await expect(pool.generate({ cx: 0, cz: 0 }, wanted(0))).rejects.toMatchObject({ kind: 'unavailable' })
  })
})

describe('a thread that dies', () => {
  const folders: Awaited<ReturnType<typeof createTempDir>>[] = []
  afterEach(async () => {
    for (const folder of folders.splice(0)) await folder.remove()
  })
  const openDying = async () => {
    const temp = await createTempDir()
    folders.push(temp)
    const worker = new URL('../../support/worlds/dying-generation-worker.ts', import.meta.url)
    const died = { id: 'stone', name: join(temp.path, 'died'), colour: '#808080', solid: true }
    return open({ worker, blocks: { ...blocks, blocks: [died] } })
  }

  it('is replaced, and its column is tried once more', async () => {
    const pool = await openDying()
    expect(await pool.generate({ cx: 1, cz: 0 }, wanted(0))).toEqual(Uint8Array.of(1))
  })

  it('fails the column that kills it twice, or throws twice, and no other', async () => {
    const pool = await openDying()
    const results = await Promise.allSettled([5, 2, 3, 4, 2, 6].map((cx, place) => pool.generate({ cx, cz: 0 }, wanted(place))))
    const failure = { status: 'rejected', reason: { kind: 'unavailable', slug: 'service-unavailable' } }
    const success = (cx: number) => ({ status: 'fulfilled', value: Uint8Array.of(cx) })
    expect(results).toMatchObject([success(5), failure, failure, success(4), failure, success(6)])
  })
})
