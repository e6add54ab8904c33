import { expect, it } from '@jest/globals'
import { createGround, type GroundOptions } from '../../../play/game/ground.ts'
import type { MeshWorker } from '../../../play/render/mesh-pool.ts'
import type { MeshAnswer } from '../../../play/render/meshing/mesh-data.ts'

it('draws the newest surface of each column, whatever was built between two frames', () => {
  const listeners = new Map<string, (message: unknown) => void>()
  const put: MeshAnswer['mesh'][] = []
  const worker: MeshWorker = { postMessage: () => undefined, onmessage: null, terminate: () => undefined }
  const options = {
    session: {
      welcome: () => ({ blocks: [] }),
      on: (name: string, act: (message: unknown) => void) => {
        listeners.set(name, act)
        return () => listeners.delete(name)
      },
    },
    world: { blocks: {}, mover: { position: () => ({ x: 0, y: 0, z: 0 }) } },
    terrain: {
      clear: () => undefined,
      setColours: () => undefined,
      has: () => false,
      drop: () => undefined,
      put: (_cx: number, _cz: number, mesh: MeshAnswer['mesh']) => put.push(mesh),
    },
    workers: [worker],
  } as unknown as GroundOptions
  const ground = createGround(options)
  listeners.get('chunk')?.({ cx: 0, cz: 0, sections: [] })
  const meshOf = (maxY: number) => ({ solid: new Uint32Array(8), clear: new Uint32Array(0), minY: 0, maxY })
  for (const maxY of [16, 32, 48]) {
    const data: MeshAnswer = { cx: 0, cz: 0, ticket: 100 + maxY, mesh: meshOf(maxY), ms: 1 }
    worker.onmessage?.({ data } as MessageEvent<MeshAnswer>)
  }
  ground.settle()
  ground.settle()
  expect(put.map((mesh) => mesh?.maxY)).toEqual([48])
  ground.close()
})

it('keeps at most the columns of the largest view, the last ones received', () => {
  const listeners = new Map<string, (message: unknown) => void>()
  const dropped: string[] = []
  const options = {
    session: {
      welcome: () => ({ blocks: [] }),
      on: (name: string, act: (message: unknown) => void) => {
        listeners.set(name, act)
        return () => listeners.delete(name)
      },
    },
    world: { blocks: {}, mover: { position: () => ({ x: 0, y: 0, z: 0 }) } },
    terrain: {
      clear: () => undefined,
      setColours: () => undefined,
      has: () => false,
      drop: (cx: number, cz: number) => dropped.push(`${cx} ${cz}`),
    },
    workers: [],
  } as unknown as GroundOptions
  const ground = createGround(options)
  const send = (cx: number): void => listeners.get('chunk')?.({ cx, cz: 0, sections: [] })
  for (let cx = 0; cx < 1_600; cx += 1) send(cx)
  send(0)
  expect(dropped).toEqual([])
  send(1_600)
  send(1_601)
  expect(dropped).toEqual(['1 0', '2 0'])
  ground.close()
})
