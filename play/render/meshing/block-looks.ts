import { type BlockLook, type LookTable, styles } from './mesh-data.ts'

/** A block kind as the server describes it. */
export type LookedKind = { readonly index: number; readonly id: string; readonly colour: number; readonly solid: boolean }

/** Patterns by the id of a kind; the first match counts. Operators' own kinds match by name too. */
const styleRules: readonly (readonly [RegExp, number])[] = [
  [/^grass$/, styles.grass],
  [/leaves$/, styles.leaves],
  [/_log$|^cactus$/, styles.bark],
  [/ore$/, styles.ore],
  [/bricks?$|^cobblestone$/, styles.bricks],
  [/planks/, styles.planks],
  [/wool$|^snow$|^quartz$|_block$|^ice$|^glowstone$/, styles.smooth],
]

const glowing = /lava|torch|glow|lantern|lamp/

const shapeOf = ({ id, solid }: LookedKind): BlockLook['shape'] => {
  if (/water|lava/.test(id)) return id.includes('lava') ? 'cube' : 'fluid'
  if (/glass/.test(id)) return 'clear'
  return solid ? 'cube' : 'plant'
}

const styleOf = (id: string, shape: BlockLook['shape']): number => {
  if (shape === 'fluid') return styles.fluid
  if (shape === 'clear') return styles.clear
  if (shape === 'plant') return styles.plant
  return styleRules.find(([pattern]) => pattern.test(id))?.[1] ?? styles.grain
}

/** The look of each kind by index. Air, index 0, is not drawn. */
export const createLooks = (kinds: readonly LookedKind[]): LookTable => {
  const soil = kinds.find(({ id }) => id === 'dirt')?.colour
  const looks: (BlockLook | undefined)[] = []
  for (const kind of kinds) {
    if (kind.index === 0) continue
    const shape = shapeOf(kind)
    const style = styleOf(kind.id, shape)
    const side = style === styles.grass && soil !== undefined ? soil : kind.colour
    looks[kind.index] = { shape, colour: kind.colour, side, style, glows: glowing.test(kind.id) }
  }
  return looks
}
