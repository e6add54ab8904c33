import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Ids } from '../../../../kernel/ids.ts'
import type { Log } from '../../../../kernel/log.ts'

export type KeptTile = { readonly etag: string; readonly png: Uint8Array }

/** Map tiles on disk, by world, height and place. After a fault the tile is drawn again. Never rejects. */
export type TileFiles = {
  find(name: string): Promise<KeptTile | undefined>
  /** Replaces the previous tile. */
  put(name: string, tile: KeptTile): Promise<void>
}

/** The length of a SHA-256 in base64url, which each file starts with. */
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
      log.debug({ err: error }, 'a map tile cannot be stored')
    }
  },
})
