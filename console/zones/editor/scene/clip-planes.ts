import type { BlockSpan } from '../../../../play/render/frame.ts'
import type { Answer } from '../../../../sdk/admin.ts'

type Zone = Answer<'GET /api/admin/instances/{id}'>['body']
export type ClipPlanes = Zone['clipPlanes']
export type Axis = keyof ClipPlanes

export const axes: readonly Axis[] = ['x', 'y', 'z']

/** All blocks between the corners of a zone. Some columns between them may not belong to it. */
export const spanOf = ({ chunks, yMin, yMax }: Pick<Zone, 'chunks' | 'yMin' | 'yMax'>): BlockSpan => {
  const [cxs, czs] = [chunks.map(({ cx }) => cx), chunks.map(({ cz }) => cz)]
  const edge = (list: readonly number[], end: 'min' | 'max'): number =>
    list.reduce((last, one) => Math[end](last, one), list[0] ?? 0)
  return {
    minX: edge(cxs, 'min') * 16,
    maxX: edge(cxs, 'max') * 16 + 15,
    minY: yMin,
    maxY: yMax,
    minZ: edge(czs, 'min') * 16,
    maxZ: edge(czs, 'max') * 16 + 15,
  }
}

/** The range of positions where a plane hides anything. */
export const rangeOf = (span: BlockSpan, axis: Axis): { readonly min: number; readonly max: number } => {
  const [min, max] = { x: [span.minX, span.maxX], y: [span.minY, span.maxY], z: [span.minZ, span.maxZ] }[axis] as [number, number]
  return { min, max: max + 1 }
}

/**
 * The visible box. Each plane hides the blocks from its position on; a flipped plane hides those before it. Inverted if nothing is
 * visible.
 */
export const cutSpan = (span: BlockSpan, planes: ClipPlanes): BlockSpan => {
  const cut = (axis: Axis, min: number, max: number): readonly [number, number] => {
    const { enabled, flipped, pos } = planes[axis]
    if (!enabled) return [min, max]
    const at = Math.ceil(pos)
    return flipped ? [Math.max(min, at), max] : [min, Math.min(max, at - 1)]
  }
  const [[minX, maxX], [minY, maxY], [minZ, maxZ]] = [
    cut('x', span.minX, span.maxX),
    cut('y', span.minY, span.maxY),
    cut('z', span.minZ, span.maxZ),
  ]
  return { minX, minY, minZ, maxX, maxY, maxZ }
}

export const isWithin = (
  { minX, minY, minZ, maxX, maxY, maxZ }: BlockSpan,
  { x, y, z }: { readonly x: number; readonly y: number; readonly z: number },
): boolean => x >= minX && x <= maxX && y >= minY && y <= maxY && z >= minZ && z <= maxZ
