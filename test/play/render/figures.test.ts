import { expect, it } from '@jest/globals'
import fc from 'fast-check'
import { type InstancedMesh, Matrix4, Scene } from 'three'
import { createFigures, type FigurePose } from '../../../play/render/figures.ts'

const number = (min: number, max: number) => fc.double({ min, max, noNaN: true })
const poses = fc.record({
  playerId: fc.string(),
  x: number(-500, 500),
  y: number(0, 255),
  z: number(-500, 500),
  yaw: number(0, 360),
  pitch: number(-90, 90),
  stride: number(0, 50),
  swing: number(0, 1),
})
/** The head nods at the neck, 1.36 above the feet; its middle is 0.23 above that. */
const headOf = ({ x, y, z, yaw, pitch }: FigurePose): Matrix4 =>
  new Matrix4()
    .makeTranslation(x, y, z)
    .multiply(new Matrix4().makeRotationY((-yaw * Math.PI) / 180))
    .multiply(new Matrix4().makeTranslation(0, 1.36, 0))
    .multiply(new Matrix4().makeRotationZ((pitch * Math.PI) / 180))
    .multiply(new Matrix4().makeTranslation(0, 0.23, 0))

const list = (scene: Scene): readonly InstancedMesh[] => scene.children as InstancedMesh[]

it('puts heads on necks, whichever way somebody looks', () => {
  const scene = new Scene()
  const figures = createFigures(scene)
  fc.assert(
    fc.property(fc.array(poses, { minLength: 1, maxLength: 5 }), (crowd) => {
      figures.draw(crowd)
      const drawn = new Matrix4()
      crowd.forEach((pose, at) => {
        list(scene)[0]?.getMatrixAt(at, drawn)
        headOf(pose).elements.forEach((value, part) => void expect(drawn.elements[part]).toBeCloseTo(value, 3))
      })
    }),
  )
})

it('puts the eyes on the side of the head that looks', () => {
  const scene = new Scene()
  const figures = createFigures(scene)
  figures.draw([{ playerId: 'ann', x: 5, y: 64, z: 5, yaw: 90, pitch: 0, stride: 0, swing: 0 }])
  const drawn = new Matrix4()
  list(scene)[2]?.getMatrixAt(0, drawn)
  // Yaw 90 looks along z.
  expect(drawn.elements[12]).toBeCloseTo(5 - 0.1, 3)
  expect(drawn.elements[13]).toBeCloseTo(64 + 1.62, 3)
  expect(drawn.elements[14]).toBeCloseTo(5 + 0.235, 3)
})

it('draws as many as there are, and gives back a place to somebody else in their own colour', () => {
  const scene = new Scene()
  const figures = createFigures(scene)
  const pose = { x: 0, y: 0, z: 0, yaw: 0, pitch: 0, stride: 0, swing: 0 }
  const shirtOf = (at: number) => Array.from(list(scene)[4]?.instanceColor?.array.slice(at * 3, at * 3 + 3) ?? [])
  figures.draw([
    { ...pose, playerId: 'ann' },
    { ...pose, playerId: 'bob' },
  ])
  const [ann, bob] = [shirtOf(0), shirtOf(1)]
  expect(ann).not.toEqual(bob)
  figures.draw([{ ...pose, playerId: 'bob' }])
  expect(shirtOf(0)).toEqual(bob)
  expect(list(scene).map(({ count }) => count)).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 1])
})
