import { expect, it } from '@jest/globals'
import { type InstancedMesh, Matrix4, Scene } from 'three'
import { createCrumbs } from '../../../play/render/crumbs.ts'

const open = () => {
  const scene = new Scene()
  const crumbs = createCrumbs(scene, () => 0.5)
  return { crumbs, mesh: scene.children[0] as InstancedMesh, count: scene.children.length }
}

it('throws a dozen from a block, which fall and disappear after half a second', () => {
  const { crumbs, mesh } = open()
  crumbs.burst({ x: 10, y: 64, z: -3 }, 0x336699)
  crumbs.draw(0.1)
  expect([mesh.visible, mesh.count]).toEqual([true, 12])
  const matrix = new Matrix4()
  mesh.getMatrixAt(0, matrix)
  const early = matrix.elements[13] ?? 0
  crumbs.draw(0.35)
  mesh.getMatrixAt(0, matrix)
  expect(matrix.elements[13]).toBeLessThan(early)
  crumbs.draw(0.1)
  expect([mesh.visible, mesh.count]).toEqual([false, 0])
})

it('draws all of them in one call, and replaces the oldest when full', () => {
  const { crumbs, mesh, count } = open()
  expect(count).toBe(1)
  for (let x = 0; x < 20; x += 1) crumbs.burst({ x, y: 0, z: 0 }, 0xffffff)
  crumbs.draw(0.01)
  expect(mesh.count).toBe(96)
  const matrix = new Matrix4()
  mesh.getMatrixAt(0, matrix)
  expect(Math.floor(matrix.elements[12] ?? 0)).toBe(12)
})

it('makes no draw call when there are none', () => {
  expect(open().mesh.visible).toBe(false)
})
