import { expect, it } from '@jest/globals'
import { createGround, type GroundOptions } from '../../../play/game/ground.ts'

it('keeps no more columns than the greatest view has, the last that came', () => {
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
