import { useEffect, useRef } from 'preact/hooks'

const layers = [
  { colour: '#4f7f9c', base: 0.6, rise: 0.2, cell: 14, seed: 3 },
  { colour: '#3d6b4a', base: 0.72, rise: 0.14, cell: 20, seed: 11 },
  { colour: '#2c5232', base: 0.84, rise: 0.12, cell: 28, seed: 29 },
  { colour: '#1c3521', base: 0.94, rise: 0.1, cell: 36, seed: 47 },
] as const

const wave = (at: number, seed: number): number =>
  Math.sin(at * 0.11 + seed) * 0.5 + Math.sin(at * 0.27 + seed * 2.3) * 0.3 + Math.sin(at * 0.63 + seed * 5.1) * 0.2

/** Hills of blocks before an evening sky. */
const paint = (canvas: HTMLCanvasElement): void => {
  const context = canvas.getContext('2d')
  if (context === null) return
  canvas.width = innerWidth
  canvas.height = innerHeight
  const { width, height } = canvas
  const sky = context.createLinearGradient(0, 0, 0, height)
  sky.addColorStop(0, '#17263d')
  sky.addColorStop(0.45, '#4a6f8f')
  sky.addColorStop(0.72, '#e3a866')
  sky.addColorStop(1, '#f3cf94')
  context.fillStyle = sky
  context.fillRect(0, 0, width, height)
  context.fillStyle = '#ffe9bd'
  const sun = Math.max(54, Math.min(width, height) * 0.11)
  context.fillRect(width * 0.72, height * 0.2, sun, sun)
  for (const { colour, base, rise, cell, seed } of layers) {
    context.fillStyle = colour
    for (let x = 0; x < width; x += cell) {
      const top = Math.round((height * (base - rise * (0.5 + 0.5 * wave(x / cell, seed)))) / cell) * cell
      context.fillRect(x, top, cell, height - top)
    }
  }
}

export const Backdrop = () => {
  const ref = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    const draw = () => {
      if (ref.current !== null) paint(ref.current)
    }
    draw()
    addEventListener('resize', draw)
    return () => removeEventListener('resize', draw)
  }, [])
  return <canvas ref={ref} class="backdrop" />
}
