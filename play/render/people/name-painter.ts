import { CanvasTexture, DataArrayTexture, LinearFilter, LinearMipmapLinearFilter } from 'three'
import type { Stage } from '../stage.ts'

/** Names as images, each in a layer of one texture. They are never parsed as markup. */
export type NamePainter = {
  readonly names: DataArrayTexture
  readonly layers: number
  /** Returns the painted part of the layer's width, 0 to 1. */
  paint(layer: number, name: string): number
}

const layers = 40
const textPixels = 40
const margin = 14
/** The size of a layer in pixels. */
export const tagSize = { width: 512, height: textPixels + 20 } as const

/** Layers exist only on the graphics card. Privacy features falsify pixels that are read back from a canvas. */
export const createNamePainter = ({ putLayer }: Pick<Stage, 'putLayer'>): NamePainter => {
  const { width, height } = tagSize
  const names = new DataArrayTexture(null, width, height, layers)
  names.magFilter = LinearFilter
  names.minFilter = LinearMipmapLinearFilter
  names.generateMipmaps = true
  // Allocates without an upload.
  names.source.dataReady = false
  names.needsUpdate = true
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')
  const picture = new CanvasTexture(canvas)
  return {
    names,
    layers,
    paint: (layer, name) => {
      if (context === null) return 0
      context.clearRect(0, 0, width, height)
      context.font = `600 ${textPixels}px system-ui, sans-serif`
      context.textBaseline = 'middle'
      context.textAlign = 'center'
      const painted = Math.min(width, Math.ceil(context.measureText(name).width) + margin * 2)
      context.fillStyle = 'rgba(10, 14, 20, 0.55)'
      context.beginPath()
      context.roundRect(0, 0, painted, height, 10)
      context.fill()
      context.fillStyle = '#ffffff'
      context.fillText(name, painted / 2, height / 2 + 2, width - 20)
      putLayer(picture, names, layer)
      return painted / width
    },
  }
}
