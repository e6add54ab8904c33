import { expect, it } from '@jest/globals'
import { createBlockKinds } from '../../../console/zones/editor/scene/block-kinds.ts'

it('names kinds as blocks.yaml does, and others by their id', () => {
  const kinds = createBlockKinds([{ id: 'oak_log', name: 'Oak log', colour: '#704020', solid: true }], () => undefined)
  expect([kinds.nameOf('oak_log'), kinds.nameOf('old_block')]).toEqual(['Oak log', 'old_block'])
})
