import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { blockIdPattern } from '../../rules/block-id.ts'
import { defaultBlocks } from './default-blocks.ts'

const Block = ClosedObject({
  id: Type.String({
    pattern: blockIdPattern,
    description: 'Stands in the worlds on disk: lower-case letters, digits and _, at most 64, a letter first. Never rename one.',
  }),
  name: Type.String({ minLength: 1, maxLength: 64, description: 'What people call it.' }),
  colour: Type.String({
    pattern: '^#[0-9A-Fa-f]{6}$',
    description: 'Its colour, red, green and blue as `#rrggbb`; in YAML it needs quotes.',
  }),
  solid: Type.Boolean({ default: true, description: 'Whether it stops players; water does not.' }),
})

/** `blocks.yaml`: the kinds of blocks besides air, which always exists. Their order may change, since worlds on disk hold ids. */
export const BlocksConfig = ClosedObject({
  blocks: Type.Array(Block, {
    default: defaultBlocks,
    maxItems: 4000,
    description: 'Every kind of block besides `air`.',
  }),
})
export type BlocksConfig = Static<typeof BlocksConfig>
