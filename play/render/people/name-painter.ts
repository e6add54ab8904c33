import { DataArrayTexture, LinearFilter, LinearMipmapLinearFilter } from 'three'

/** Names as pictures, each in a layer of one texture: nothing of them is ever taken as markup. */
export type NamePainter = {
  readonly names: DataArrayTexture
  /** Answers how much of the width of the layer is painted, 0 to 1. */
  paint(layer: number, name: string): number
}

const textPixels = 40
const margin = 14
/** Pixels of a layer. */
export const tagSize = { width: 512, height: textPixels + 20 } as const

export const createNamePainter = (layers: number): NamePainter => {
  const { width, height } = tagSize
  const layerBytes = width * height * 4
  const data = new Uint8Array(layerBytes * layers)
  const names = new DataArrayTexture(data, width, height, layers)
  names.magFilter = LinearFilter
  names.minFilter = LinearMipmapLinearFilter
  names.generateMipmaps = true
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d', { willReadFrequently: true })
  return {
    names,
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
      // The rest of the layer is empty, lest a longer name before shines in at the edge.
      data.fill(0, layer * layerBytes, (layer + 1) * layerBytes)
      const pixels = context.getImageData(0, 0, painted, height).data
      for (let row = 0; row < height; row += 1)
        data.set(pixels.subarray(row * painted * 4, (row + 1) * painted * 4), layer * layerBytes + row * width * 4)
      names.addLayerUpdate(layer)
      names.needsUpdate = true
      return painted / width
    },
  }
}
