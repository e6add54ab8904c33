import { expect, it } from '@jest/globals'
import { DataArrayTexture, type InstancedBufferGeometry, type InterleavedBufferAttribute, type Mesh, Scene } from 'three'
import { createNameTags } from '../../../../play/render/people/name-tags.ts'

const eye = { x: 0.5, y: 64, z: 0.5 }
const standing = (name: string, x: number) => ({ playerId: name, displayName: name, x, y: 64, z: 0.5 })
const crowd = [standing('ann', 3), standing('bob', 9), standing('eve', 1), standing('joe', 20), standing('sue', 30)]

/** Without a canvas: only a browser can check that painted names are readable. */
const open = () => {
  const painted: string[] = []
  const scene = new Scene()
  const paint = (_layer: number, name: string) => {
    painted.push(name)
    return 0.5
  }
  const tags = createNameTags(scene, { names: new DataArrayTexture(), layers: 40, paint })
  const mesh = scene.children[0] as Mesh<InstancedBufferGeometry>
  const list = (): readonly number[] => {
    const place = mesh.geometry.getAttribute('place') as InterleavedBufferAttribute
    return mesh.visible ? Array.from({ length: mesh.geometry.instanceCount }, (_, at) => place.getX(at)) : []
  }
  return { tags, painted, list }
}

it('paints two names a frame, the nearest first, and reports when all are done', () => {
  const { tags, painted, list } = open()
  expect([1, 2, 3].map(() => [tags.draw(crowd, eye), list().length])).toEqual([
    [false, 2],
    [false, 4],
    [true, 5],
  ])
  expect(painted).toEqual(['eve', 'ann', 'bob', 'joe', 'sue'])
  tags.draw([], eye)
  expect(list()).toEqual([])
})

it('draws distant ones first, as seen from the eye, wherever the search began', () => {
  const { tags, list } = open()
  const far = { x: 30, y: 64, z: 0.5 }
  for (let picture = 0; picture < 3; picture += 1) tags.draw(crowd, eye, far)
  expect(list()).toEqual([30, 20, 9, 3, 1])
})

it('paints all of them again after a lost context', () => {
  const { tags, painted } = open()
  for (let picture = 0; picture < 3; picture += 1) tags.draw(crowd, eye)
  tags.repaint()
  expect(tags.draw(crowd, eye)).toBe(false)
  expect(painted.slice(5)).toEqual(['eve', 'ann'])
})
