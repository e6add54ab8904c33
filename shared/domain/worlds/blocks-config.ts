import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { blockIdPattern } from '../../rules/block-id.ts'
import { defaultBlocks } from './default-blocks.ts'

const Block = ClosedObject({
  id: Type.String({
    pattern: blockIdPattern,
    description:
      'The id in stored worlds: lower-case letters, digits and _, at most 64, starting with a letter. Never rename it.',
  }),
  name: Type.String({ minLength: 1, maxLength: 64, description: 'The display name.' }),
  colour: Type.String({
    pattern: '^#[0-9A-Fa-f]{6}$',
    description: 'The colour as `#rrggbb`. Quote it in YAML.',
  }),
  solid: Type.Boolean({ default: true, description: 'Whether players collide with it. Water is not solid.' }),
})

/** `blocks.yaml`: the kinds of blocks besides air, which always exists. Their order may change, because stored worlds use ids. */
export const BlocksConfig = ClosedObject({
  blocks: Type.Array(Block, {
    default: defaultBlocks,
    maxItems: 4000,
    description: 'Every kind of block besides `air`.',
  }),
})
export type BlocksConfig = Static<typeof BlocksConfig>
