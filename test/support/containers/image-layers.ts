import { join } from 'node:path'
import { createTempDir } from '../processes/temp-dir.ts'
import { copyTree, removeTree } from './trees.ts'

/** What instructions of Dockerfiles made, kept by what they say: an engine too does nothing twice. */
export type ImageLayers = {
  /** Copies what was kept under `text` to the folder `to`, which is not there yet; false when nothing was. */
  copyTo(text: string, to: string): Promise<boolean>
  /** Keeps a copy of `folder`. */
  keep(text: string, folder: string): Promise<void>
  remove(): Promise<void>
}

/** Layers in the folder for temporary files. */
export const createImageLayers = (): ImageLayers => {
  const kept = new Map<string, string>()
  return {
    copyTo: async (text, to) => {
      const layer = kept.get(text)
      if (layer !== undefined) await copyTree(join(layer, 'root'), to)
      return layer !== undefined
    },
    keep: async (text, folder) => {
      const { path } = await createTempDir()
      kept.set(text, path)
      await copyTree(folder, join(path, 'root'))
    },
    remove: async () => {
      for (const layer of kept.values()) await removeTree(layer)
      kept.clear()
    },
  }
}
