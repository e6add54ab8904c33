import { join } from 'node:path'
import { createTempDir } from '../processes/temp-dir.ts'
import { copyTree, removeTree } from './trees.ts'

/** Results of Dockerfile instructions, cached by their text: an engine also runs each only once. */
export type ImageLayers = {
  /** Copies the cached result of `text` to the new folder `to`; returns false if there is none. */
  copyTo(text: string, to: string): Promise<boolean>
  /** Caches a copy of `folder`. */
  keep(text: string, folder: string): Promise<void>
  remove(): Promise<void>
}

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
