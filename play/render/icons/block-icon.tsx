import { useEffect, useRef } from 'preact/hooks'
import { createLooks, type LookedKind } from '../meshing/block-looks.ts'
import type { BlockLook } from '../meshing/mesh-data.ts'
import { pixelAt } from './icon-pattern.ts'

export type BlockIconProps = {
  readonly look: BlockLook
  /** The colour of the stone around an ore. */
  readonly stone: number
}

/** The looks of icons by block id, as in the terrain. */
export const listIcons = (kinds: readonly LookedKind[]): ReadonlyMap<string, BlockIconProps> => {
  const looks = createLooks(kinds)
  const stone = kinds.find(({ id }) => id === 'stone')?.colour ?? 0x7d7d7d
  return new Map(
    kinds.flatMap(({ id, index }) => {
      const look = looks[index]
      return look === undefined ? [] : [[id, { look, stone }]]
    }),
  )
}

const shadeOf = (colour: number, light: number, alpha = 1): string => {
  const part = (shift: number) => Math.max(0, Math.min(255, Math.round(((colour >> shift) & 255) * light)))
  return `rgb(${part(16)} ${part(8)} ${part(0)} / ${alpha})`
}

const pixels = 16

type Side = { readonly matrix: readonly number[]; readonly isTop: boolean; readonly light: number; readonly seed: number }

/** A side of a cube seen from a corner: `matrix` says along which slanted axes it lies. */
const paintSide = (
  context: CanvasRenderingContext2D,
  { look, stone }: BlockIconProps,
  { matrix, isTop, light, seed }: Side,
): void => {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix
  context.setTransform(a, b, c, d, e, f)
  const colours = { own: isTop ? look.colour : look.side, cap: look.colour, stone }
  for (let y = 0; y < pixels; y += 1)
    for (let x = 0; x < pixels; x += 1) {
      const pixel = pixelAt(look.style, { x, y, isTop, seed })
      context.fillStyle = shadeOf(colours[pixel.of], (look.glows ? 1.1 : light) * pixel.light, pixel.alpha)
      const overlap = pixel.alpha === 1 ? 1.1 : 1
      context.fillRect(x / pixels, y / pixels, overlap / pixels, overlap / pixels)
    }
}

/** Plants are a few blades with a coloured head. */
const blades = [
  [0.24, 0.42],
  [0.38, 0.16],
  [0.54, 0.3],
  [0.68, 0.48],
] as const
const stem = 0x4f8a34

const paintPlant = (context: CanvasRenderingContext2D, colour: number, size: number): void => {
  for (const [x, top] of blades) {
    context.fillStyle = shadeOf(stem, 0.75 + top * 0.5)
    context.fillRect(x * size, top * size, size * 0.09, size * (0.92 - top))
    context.fillStyle = shadeOf(colour, 0.85 + top * 0.4)
    context.fillRect((x - 0.02) * size, top * size, size * 0.13, size * 0.22)
  }
}

const paint = (canvas: HTMLCanvasElement, props: BlockIconProps): void => {
  const context = canvas.getContext('2d')
  if (context === null) return
  const size = canvas.width
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, size, size)
  if (props.look.shape === 'plant') {
    paintPlant(context, props.look.colour, size)
    return
  }
  const [w, h] = [size * 0.44, size * 0.23]
  const [mx, top] = [size / 2, size * 0.05]
  const tall = size * 0.46
  paintSide(context, props, { matrix: [w, h, -w, h, mx, top], isTop: true, light: 1.06, seed: 1 })
  paintSide(context, props, { matrix: [w, h, 0, tall, mx - w, top + h], isTop: false, light: 0.8, seed: 2 })
  paintSide(context, props, { matrix: [w, -h, 0, tall, mx, top + 2 * h], isTop: false, light: 0.62, seed: 3 })
}

/** The icon of a block kind, drawn from its colour and its terrain pattern. */
export const BlockIcon = ({ look, stone }: BlockIconProps) => {
  const ref = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (ref.current !== null) paint(ref.current, { look, stone })
  }, [look, stone])
  return <canvas ref={ref} class="icon" width={64} height={64} />
}
