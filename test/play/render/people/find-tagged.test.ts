import { expect, it } from '@jest/globals'
import { findTagged } from '../../../../play/render/people/find-tagged.ts'

const eye = { x: 0, y: 64, z: 0 }
const standing = (playerId: string, x: number) => ({ playerId, displayName: playerId, x, y: 64, z: 0 })
const find = (places: Readonly<Record<string, number>>, most: number, shown: readonly string[] = []): readonly string[] =>
  findTagged(
    Object.entries(places).map(([playerId, x]) => standing(playerId, x)),
    eye,
    { most, shown: new Set(shown) },
  ).map(({ playerId }) => playerId)

it('finds the nearest players in order', () => {
  expect(find({ ann: 5, bob: 9, eve: 1, joe: 30 }, 3)).toEqual(['eve', 'ann', 'bob'])
})

it('finds no one beyond 48 blocks', () => {
  expect(find({ ann: 47.9, bob: 48 }, 3)).toEqual(['ann'])
})

it('keeps a tagged player until another is nearer by six blocks', () => {
  expect(find({ ann: 10, bob: 4.5 }, 1, ['ann'])).toEqual(['ann'])
  expect(find({ ann: 10, bob: 3.5 }, 1, ['ann'])).toEqual(['bob'])
  expect(find({ ann: 10, bob: 9 }, 1)).toEqual(['bob'])
})

it('orders by distance, whatever the earlier tags', () => {
  expect(find({ ann: 10, bob: 8, eve: 2 }, 3, ['ann'])).toEqual(['eve', 'bob', 'ann'])
})
