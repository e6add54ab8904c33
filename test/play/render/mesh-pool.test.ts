import { expect, it } from '@jest/globals'
import { createMeshPool, type MeshWorker } from '../../../play/render/mesh-pool.ts'
import type { MeshAnswer, MeshRequest } from '../../../play/render/meshing/mesh-data.ts'

const mesh = { solid: new Uint32Array(8), clear: new Uint32Array(0), minY: 0, maxY: 16 }

/** A worker that answers on request. */
const createHeldWorker = () => {
  const asked: MeshRequest[] = []
  const worker: MeshWorker = { postMessage: (message) => void asked.push(message), onmessage: null, terminate: () => undefined }
  const meshes = () => asked.filter((message) => message.kind === 'mesh')
  let answered = 0
  return {
    worker,
    asked,
    meshes,
    answerNext: (): boolean => {
      const next = meshes()[answered]
      if (next === undefined) return false
      answered += 1
      const data: MeshAnswer = { cx: next.cx, cz: next.cz, ticket: next.ticket, mesh, ms: 1 }
      worker.onmessage?.({ data } as MessageEvent<MeshAnswer>)
      return true
    },
  }
}

const settle = () => new Promise((resolve) => setTimeout(resolve))

const open = (workers = 2) => {
  const held = Array.from({ length: workers }, createHeldWorker)
  const made: string[] = []
  const pool = createMeshPool({
    workers: held.map(({ worker }) => worker),
    onMesh: ({ cx, cz }) => void made.push(`${cx} ${cz}`),
    rank: (cx, cz) => cx * cx + cz * cz,
  })
  pool.begin([])
  const putSquare = (radius: number): void => {
    for (let cz = -radius; cz <= radius; cz += 1) for (let cx = -radius; cx <= radius; cx += 1) pool.put(cx, cz, [])
  }
  const answerAll = async (): Promise<void> => {
    do await settle()
    while (held.map((one) => one.answerNext()).some(Boolean))
  }
  return { pool, held, made, putSquare, answerAll }
}

it('makes the nearest columns first, and only those with all their neighbours', async () => {
  const { pool, made, putSquare, answerAll } = open(1)
  putSquare(3)
  await answerAll()
  expect(made).toHaveLength(25)
  expect(made[0]).toBe('0 0')
  const ranks = made.map((name) => name.split(' ').reduce((sum, part) => sum + Number(part) ** 2, 0))
  expect(ranks).toEqual([...ranks].sort((a, b) => a - b))
  expect(pool.waiting()).toBe(0)
})

it('does not wait for neighbours outside of the world, which never come', async () => {
  const { pool, made, answerAll } = open(1)
  // The corner of the world at 30,000,000 blocks.
  for (const cx of [1_874_998, 1_874_999]) for (const cz of [-1_875_000, -1_874_999]) pool.put(cx, cz, [])
  await answerAll()
  expect(made).toEqual(['1874999 -1875000'])
})

it('sends every column to every worker, with bytes of its own', async () => {
  const { pool, held } = open()
  const frame = new Uint8Array(10_000)
  pool.put(0, 0, [{ y: 0, palette: [1], bits: 1, data: frame.subarray(100, 612) }])
  await settle()
  for (const { asked } of held) {
    const column = asked.find((message) => message.kind === 'column')
    expect(column?.kind === 'column' && column.sections[0]?.data.buffer.byteLength).toBe(512)
  }
})

it('meshes a column again, first, when it changed during its meshing', async () => {
  const { pool, held, made, putSquare } = open(1)
  putSquare(4)
  await settle()
  pool.change([{ x: 40, y: 64, z: 40, index: 1 }])
  await settle()
  held[0]?.answerNext()
  held[0]?.answerNext()
  await settle()
  const asked = held[0]?.meshes().map(({ cx, cz }) => `${cx} ${cz}`) ?? []
  expect(asked.slice(2, 4)).toContain('2 2')
  expect(made.length).toBe(2)
})

it('also meshes the columns next to a block at an edge', async () => {
  const { pool, held, putSquare, answerAll } = open(1)
  putSquare(3)
  await answerAll()
  const before = held[0]?.meshes().length ?? 0
  pool.change([{ x: 16, y: 64, z: 8, index: 1 }])
  await answerAll()
  const again = (held[0]?.meshes() ?? []).slice(before).map(({ cx, cz }) => `${cx} ${cz}`)
  expect(again.sort()).toEqual(['0 0', '1 0'])
})

it('meshes the columns around a column again when it went and came back', async () => {
  const { pool, held, putSquare, answerAll } = open(1)
  putSquare(3)
  await answerAll()
  const before = held[0]?.meshes().length ?? 0
  pool.drop(0, 0)
  pool.put(0, 0, [])
  await answerAll()
  const again = (held[0]?.meshes() ?? []).slice(before).map(({ cx, cz }) => `${cx} ${cz}`)
  expect(again.sort()).toEqual(['-1 -1', '-1 0', '-1 1', '0 -1', '0 0', '0 1', '1 -1', '1 0', '1 1'])
})

it('forgets dropped columns, and everything at the next Welcome', async () => {
  const { pool, made, held, putSquare, answerAll } = open(1)
  putSquare(2)
  await settle()
  pool.drop(0, 0)
  await answerAll()
  expect(made).not.toContain('0 0')
  pool.begin([])
  expect(pool.waiting()).toBe(0)
  expect(held[0]?.asked.at(-1)).toEqual({ kind: 'looks', looks: [], isFresh: true })
})
