import { useEffect, useRef } from 'preact/hooks'

/** Deterministic grain, so that an icon looks the same each time. */
const grainAt = (x: number, y: number, seed: number): number => {
  const value = Math.sin(x * 12.9898 + y * 78.233 + seed * 37.719) * 43_758.5453
  return value - Math.floor(value) - 0.5
}

const shadeOf = (colour: number, light: number): string => {
  const part = (shift: number) => Math.max(0, Math.min(255, Math.round(((colour >> shift) & 255) * light)))
  return `rgb(${part(16)}, ${part(8)}, ${part(0)})`
}

const pixels = 16

/** A cube seen from a corner, in pixels: `dx`, `dy` say along which slanted axes a side lies. */
const paintSide = (
  context: CanvasRenderingContext2D,
  matrix: readonly number[],
  colour: number,
  light: number,
  seed: number,
): void => {
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = matrix
  context.setTransform(a, b, c, d, e, f)
  for (let y = 0; y < pixels; y += 1)
    for (let x = 0; x < pixels; x += 1) {
      context.fillStyle = shadeOf(colour, light * (1 + grainAt(x, y, seed) * 0.18))
      context.fillRect(x / pixels, y / pixels, 1.1 / pixels, 1.1 / pixels)
    }
}

const paint = (canvas: HTMLCanvasElement, colour: number, side: number, isFlat: boolean): void => {
  const context = canvas.getContext('2d')
  if (context === null) return
  const size = canvas.width
  context.setTransform(1, 0, 0, 1, 0, 0)
  context.clearRect(0, 0, size, size)
  if (isFlat) {
    // A plant is a few blades.
    for (const [x, top] of [
      [0.25, 0.4],
      [0.4, 0.15],
      [0.55, 0.28],
      [0.7, 0.45],
    ] as const) {
      context.fillStyle = shadeOf(colour, 0.8 + top)
      context.fillRect(x * size, top * size, size * 0.1, size * (0.9 - top))
    }
    return
  }
  const [w, h] = [size * 0.44, size * 0.23]
  const [mx, top] = [size / 2, size * 0.05]
  const tall = size * 0.46
  paintSide(context, [w, h, -w, h, mx, top], colour, 1.06, 1)
  paintSide(context, [w, h, 0, tall, mx - w, top + h], side, 0.8, 2)
  paintSide(context, [w, -h, 0, tall, mx, top + 2 * h], side, 0.62, 3)
}

/** A picture of a kind of block, drawn from its colour. */
export const BlockIcon = ({ colour, side = colour, isFlat = false }: { colour: number; side?: number; isFlat?: boolean }) => {
  const ref = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (ref.current !== null) paint(ref.current, colour, side, isFlat)
  }, [colour, side, isFlat])
  return <canvas ref={ref} class="icon" width={64} height={64} />
}
