/** The look of a block kind: whether it is opaque, and the pattern of its faces. */
export type BlockLook = {
  readonly shape: 'cube' | 'clear' | 'fluid' | 'plant'
  /** 0xRRGGBB. */
  readonly colour: number
  /** The pattern of its sides, if different. */
  readonly side: number
  readonly style: number
  readonly glows: boolean
}

/** The patterns that the terrain shader knows, by number. */
export const styles = {
  grain: 0,
  bricks: 1,
  planks: 2,
  ore: 3,
  leaves: 4,
  grass: 5,
  smooth: 6,
  bark: 7,
  fluid: 8,
  clear: 9,
  plant: 10,
} as const

/** Looks by the index of a kind; missing ones are drawn as `unknownLook`. */
export type LookTable = readonly (BlockLook | undefined)[]

export const unknownLook: BlockLook = { shape: 'cube', colour: 0xff00ff, side: 0xff00ff, style: styles.smooth, glows: false }

/** A section in the wire format; `data` is its own copy. */
export type PackedSection = {
  readonly y: number
  readonly palette: readonly number[]
  readonly bits: number
  readonly data: Uint8Array
}

/** A changed block, by the index of its kind. */
export type IndexEdit = { readonly x: number; readonly y: number; readonly z: number; readonly index: number }

/**
 * The surface of one column. Four vertices a quad, two numbers each, with the bits of each part in brackets:
 * - x (5) | y << 5 (9) | z << 14 (5) | normal << 19 (3) | occlusion << 22 (2) | light << 24 (3) | surface << 27 (1)
 * - colour (24) | style << 24 (4) | glow << 28 (1)
 */
export type ColumnMesh = {
  readonly solid: Uint32Array<ArrayBuffer>
  /** Water and glass, drawn after everything else. */
  readonly clear: Uint32Array<ArrayBuffer>
  readonly minY: number
  readonly maxY: number
}

/** A message to a worker. */
export type MeshRequest =
  | { readonly kind: 'looks'; readonly looks: LookTable; readonly isFresh: boolean }
  | { readonly kind: 'column'; readonly cx: number; readonly cz: number; readonly sections: readonly PackedSection[] }
  | { readonly kind: 'gone'; readonly cx: number; readonly cz: number }
  | { readonly kind: 'edits'; readonly edits: readonly IndexEdit[] }
  | { readonly kind: 'mesh'; readonly cx: number; readonly cz: number; readonly ticket: number }

/** A worker's answer to `mesh`; without a mesh if it lacks the column. */
export type MeshAnswer = {
  readonly cx: number
  readonly cz: number
  readonly ticket: number
  readonly mesh: ColumnMesh | undefined
  readonly ms: number
}
