import { type Static, Type } from '@sinclair/typebox'
import type { BlockBox } from '../../shared/domain/history/find-changes.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { blockMax, blockMin, worldHeight } from '../../shared/rules/positions.ts'

const Across = Type.Optional(Type.Integer({ minimum: blockMin, maximum: blockMax }))
const Height = Type.Optional(Type.Integer({ minimum: 0, maximum: worldHeight - 1 }))

/** The edges of a box of blocks in a query; ends are included. */
export const boxEdges = { minX: Across, minY: Height, minZ: Across, maxX: Across, maxY: Height, maxZ: Across } as const
const edges = Object.keys(boxEdges)

/** A box of blocks in a body; ends are included. */
export const BlockBoxBody = Type.Required(ClosedObject(boxEdges))

/** Each edge requires all others. */
export const needsAllEdges = Object.fromEntries(edges.map((edge) => [edge, edges.filter((other) => other !== edge)]))

const Edges = Type.Object(boxEdges)
export type BoxEdges = Static<typeof Edges>

/** All blocks of a world. */
export const wholeWorld: BlockBox = {
  minX: blockMin,
  minY: 0,
  minZ: blockMin,
  maxX: blockMax,
  maxY: worldHeight - 1,
  maxZ: blockMax,
}

/**
 * The box of these edges, if all are present. `at` is the pointer of their parent. Throws AppError `unprocessable` if a minimum
 * is above its maximum.
 */
export const findBox = ({ minX, minY, minZ, maxX, maxY, maxZ }: BoxEdges, at = ''): BlockBox | undefined => {
  if (minX === undefined || minY === undefined || minZ === undefined) return undefined
  if (maxX === undefined || maxY === undefined || maxZ === undefined) return undefined
  const axes = [
    { axis: 'X', min: minX, max: maxX },
    { axis: 'Y', min: minY, max: maxY },
    { axis: 'Z', min: minZ, max: maxZ },
  ]
  const errors = axes
    .filter(({ min, max }) => min > max)
    .map(({ axis, max }) => ({ pointer: `${at}/min${axis}`, message: `must not be above max${axis} (${max})` }))
  if (errors.length > 0) throw new AppError('unprocessable', 'rule-broken', 'The box is empty.', { errors })
  return { minX, minY, minZ, maxX, maxY, maxZ }
}
