import { useEffect, useRef, useState } from 'preact/hooks'
import { fetchTile } from '../map/scene/tiles.ts'
import { words } from '../words.ts'

const tilePx = 256
const zoomMax = 6
/** The four tiles around the middle of a world. */
const places = [-1, 0].flatMap((tz) => [-1, 0].map((tx) => ({ tx, tz })))

/** The zoom at which four tiles show a square of that many columns. */
const zoomFor = (chunkCount: number): number =>
  Math.min(zoomMax, Math.max(0, Math.ceil(Math.log2((Math.sqrt(chunkCount) * 16) / (2 * tilePx)))))

/** The middle of a world from above. */
export const WorldPicture = ({ world, chunkCount }: { readonly world: string; readonly chunkCount: number }) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [isEmpty, setEmpty] = useState(chunkCount === 0)
  const zoom = zoomFor(chunkCount)
  useEffect(() => {
    if (chunkCount === 0) return undefined
    const over = new AbortController()
    const draw = async (): Promise<void> => {
      const tiles = await Promise.all(
        places.map(async ({ tx, tz }) => ({ tx, tz, of: await fetchTile(world, `${zoom}/${tx}/${tz}`, undefined, over.signal) })),
      )
      const context = canvas.current?.getContext('2d')
      for (const { tx, tz, of } of tiles)
        if ('picture' in of && of.picture !== undefined) {
          context?.drawImage(of.picture, (tx + 1) * tilePx, (tz + 1) * tilePx)
          of.picture.close()
        }
      setEmpty(tiles.every(({ of }) => !('picture' in of) || of.picture === undefined))
    }
    // Without a picture the card still has everything else.
    draw().catch(() => undefined)
    return () => over.abort()
  }, [world, chunkCount, zoom])
  return (
    <div class="world-picture">
      <canvas ref={canvas} width={2 * tilePx} height={2 * tilePx} role="img" aria-label={words.worlds.picture(world)} />
      {isEmpty && <span class="quiet">{words.worlds.noLand}</span>}
    </div>
  )
}
