import { BoxGeometry, EdgesGeometry, LineBasicMaterial, LineSegments, type Scene } from 'three'

/** The frame around the block under the crosshair. */
export type Outline = { show(block: { readonly x: number; readonly y: number; readonly z: number } | undefined): void }

export const createOutline = (scene: Scene): Outline => {
  const size = 1.004
  const edges = new EdgesGeometry(new BoxGeometry(size, size, size))
  const lines = new LineSegments(edges, new LineBasicMaterial({ color: 0x0b0f14, transparent: true, opacity: 0.7 }))
  lines.visible = false
  lines.renderOrder = 2
  scene.add(lines)
  return {
    show: (block) => {
      lines.visible = block !== undefined
      if (block !== undefined) lines.position.set(block.x + 0.5, block.y + 0.5, block.z + 0.5)
    },
  }
}
