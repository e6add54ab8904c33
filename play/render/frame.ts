import { BoxGeometry, EdgesGeometry, LineBasicMaterial, LineSegments, type Scene } from 'three'

/** Blocks between two opposite corners, both included. */
export type BlockSpan = {
  readonly minX: number
  readonly minY: number
  readonly minZ: number
  readonly maxX: number
  readonly maxY: number
  readonly maxZ: number
}

/** The edges of a box of blocks. */
export type Frame = { show(span: BlockSpan | undefined): void }

/** Slightly larger, so that lines do not flicker against faces. */
const outside = 0.02

export const createFrame = (scene: Scene, colour: number, opacity = 0.8): Frame => {
  const edges = new EdgesGeometry(new BoxGeometry(1, 1, 1))
  const lines = new LineSegments(edges, new LineBasicMaterial({ color: colour, transparent: true, opacity }))
  lines.visible = false
  lines.renderOrder = 2
  scene.add(lines)
  return {
    show: (span) => {
      lines.visible = span !== undefined
      if (span === undefined) return
      const { minX, minY, minZ, maxX, maxY, maxZ } = span
      lines.scale.set(maxX - minX + 1 + outside, maxY - minY + 1 + outside, maxZ - minZ + 1 + outside)
      lines.position.set((minX + maxX + 1) / 2, (minY + maxY + 1) / 2, (minZ + maxZ + 1) / 2)
    },
  }
}
