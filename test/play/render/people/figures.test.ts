import { expect, it } from '@jest/globals'
import { type InterleavedBufferAttribute, type Mesh, type RawShaderMaterial, Scene } from 'three'
import { createBody } from '../../../../play/render/people/figure-body.ts'
import { createFigures, type FigurePose } from '../../../../play/render/people/figures.ts'

const pose: FigurePose = { x: 0, y: 0, z: 0, yaw: 0, pitch: 0, stride: 0, swing: 0, shirt: 0xff8000 }

const open = () => {
  const scene = new Scene()
  const figures = createFigures(scene)
  const mesh = scene.children[0] as Mesh
  const numbersOf = (name: string, at: number): readonly number[] => {
    const attribute = mesh.geometry.getAttribute(name) as InterleavedBufferAttribute
    return Array.from({ length: attribute.itemSize }, (_, part) => attribute.getComponent(at, part))
  }
  return { figures, mesh, numbersOf }
}

it('places players relative to the eye, with the same precision far out', () => {
  const { figures, mesh, numbersOf } = open()
  figures.draw([{ ...pose, x: 20_000_000.25, y: 64.5, z: -30_000_000.125 }], { x: 20_000_002.7, z: -30_000_004.2 })
  expect(mesh.position.toArray()).toEqual([20_000_002, 0, -30_000_005])
  expect(numbersOf('place', 0).slice(0, 3)).toEqual([-1.75, 64.5, 4.875])
})

it('passes their direction, the step of their legs and their shirt', () => {
  const { figures, numbersOf } = open()
  figures.draw([pose, { ...pose, yaw: 90, pitch: -45, stride: Math.PI / 2, swing: 0.5, shirt: 0x123456 }], pose)
  expect(numbersOf('place', 1)[3]).toBeCloseTo(-Math.PI / 2)
  const [pitch, step, shirt] = numbersOf('stance', 1)
  expect(pitch).toBeCloseTo(-Math.PI / 4)
  expect(step).toBeCloseTo(0.35)
  expect(shirt).toBe(0x123456)
})

it('has no fog of its own, as in a zone seen from above', () => {
  const { fogNear, fogFar } = (open().mesh.material as RawShaderMaterial).uniforms
  expect(fogNear?.value).toBeGreaterThan(10_000)
  expect(fogFar?.value).toBeGreaterThan(fogNear?.value)
})

it('draws each player, at most 512, and nothing for none', () => {
  const { figures, mesh } = open()
  const count = () => (mesh.visible ? (mesh.geometry as ReturnType<typeof createBody>).instanceCount : 0)
  expect(count()).toBe(0)
  figures.draw([pose, pose], pose)
  expect(count()).toBe(2)
  figures.draw(
    Array.from({ length: 600 }, () => pose),
    pose,
  )
  expect(count()).toBe(512)
  figures.draw([], pose)
  expect(count()).toBe(0)
})

it('builds a body 1.85 blocks tall, and no wider than its arms', () => {
  const { position, joint } = createBody().attributes
  const all = Array.from({ length: position?.count ?? 0 }, (_, at) => ({
    y: (position?.getY(at) ?? 0) + (joint?.getY(at) ?? 0),
    z: (position?.getZ(at) ?? 0) + (joint?.getZ(at) ?? 0),
  }))
  expect(all).toHaveLength(9 * 24)
  expect(Math.min(...all.map(({ y }) => y))).toBeCloseTo(0)
  expect(Math.max(...all.map(({ y }) => y))).toBeCloseTo(1.85)
  expect(Math.max(...all.map(({ z }) => Math.abs(z)))).toBeCloseTo(0.405)
})
