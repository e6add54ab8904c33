import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createTempDir } from '../processes/temp-dir.ts'

/** With rights and links, to where nothing is yet. */
const copyFolder = async (from: string, to: string): Promise<void> => {
  await promisify(execFile)('cp', ['-a', from, to])
}

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
  const kept = new Map<string, Awaited<ReturnType<typeof createTempDir>>>()
  return {
    copyTo: async (text, to) => {
      const layer = kept.get(text)
      if (layer !== undefined) await copyFolder(join(layer.path, 'root'), to)
      return layer !== undefined
    },
    keep: async (text, folder) => {
      const layer = await createTempDir()
      await copyFolder(folder, join(layer.path, 'root'))
      kept.set(text, layer)
    },
    remove: async () => {
      for (const layer of kept.values()) await layer.remove()
      kept.clear()
    },
  }
}
