import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../shared/kernel/errors.ts'

/** A file of 32×32 columns; `rx`, `rz` are its place in regions. */
export type RegionPath = { readonly name: string; readonly path: string; readonly rx: number; readonly rz: number }

const regionName = /^r\.(-?\d{1,7})\.(-?\d{1,7})\.mca$/

/** Where the overworld's regions lie in a world folder, the folder itself first; the last is that of worlds since 26.1. */
const places = ['.', 'region', join('dimensions', 'minecraft', 'overworld', 'region')]

const listFolder = async (folder: string): Promise<RegionPath[]> => {
  const names = await readdir(folder).catch((): string[] => [])
  return names.flatMap((name) => {
    const [, rx, rz] = regionName.exec(name) ?? []
    return rx === undefined || rz === undefined ? [] : [{ name, path: join(folder, name), rx: Number(rx), rz: Number(rz) }]
  })
}

/** The region files of a folder, or of the world folder around them, west to east, then north to south. Throws AppError `invalid` when there are none. */
export const listRegionFiles = async (folder: string): Promise<readonly RegionPath[]> => {
  for (const place of places) {
    const found = await listFolder(join(folder, place))
    if (found.length > 0) return found.sort((a, b) => a.rx - b.rx || a.rz - b.rz)
  }
  throw new AppError(
    'invalid',
    'bad-request',
    'There are no region files (r.X.Z.mca) in that folder or in its folder "region": give the folder of a Minecraft Java Edition world.',
  )
}
