import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Ids } from '../../../../kernel/ids.ts'
import type { Log } from '../../../../kernel/log.ts'

export type KeptTile = { readonly etag: string; readonly png: Uint8Array }

/** Tiles on disk, by world, height and place; whatever goes wrong with it costs drawing a tile again. Never rejects. */
export type TileFiles = {
  find(name: string): Promise<KeptTile | undefined>
  /** Takes the place of the tile that was there. */
  put(name: string, tile: KeptTile): Promise<void>
}

/** A SHA-256 in base64url, with which a file begins. */
const etagLength = 43

export const createTileFiles = ({
  folder,
  ids,
  log,
}: {
  readonly folder: string
  readonly ids: Pick<Ids, 'uuid'>
  readonly log: Log
}): TileFiles => ({
  find: async (name) => {
    const bytes = await readFile(join(folder, `${name}.tile`)).catch(() => undefined)
    if (bytes === undefined || bytes.length <= etagLength) return undefined
    return { etag: bytes.toString('latin1', 0, etagLength), png: bytes.subarray(etagLength) }
  },
  put: async (name, { etag, png }) => {
    const path = join(folder, `${name}.tile`)
    const unfinished = `${path}.${ids.uuid()}`
    try {
      await mkdir(dirname(path), { recursive: true })
      await writeFile(unfinished, Buffer.concat([Buffer.from(etag, 'latin1'), png]))
      await rename(unfinished, path)
    } catch (error) {
      log.debug({ err: error }, 'a tile of the map is not kept on disk')
    }
  },
})
