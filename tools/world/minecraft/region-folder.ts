import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '../../../shared/kernel/errors.ts'

/** A file of 32×32 columns; `rx`, `rz` are its position in regions. */
export type RegionPath = { readonly name: string; readonly path: string; readonly rx: number; readonly rz: number }

const regionName = /^r\.(-?\d{1,7})\.(-?\d{1,7})\.mca$/

/**
 * The folders of the overworld's regions in a world folder: the folder itself, then the layout since 26.1, then the previous
 * one.
 */
const places = ['.', join('dimensions', 'minecraft', 'overworld', 'region'), 'region']

const listFolder = async (folder: string): Promise<RegionPath[]> => {
  const names = await readdir(folder).catch((): string[] => [])
  return names.flatMap((name) => {
    const [, rx, rz] = regionName.exec(name) ?? []
    return rx === undefined || rz === undefined ? [] : [{ name, path: join(folder, name), rx: Number(rx), rz: Number(rz) }]
  })
}

/** Region files west to east, then north to south, with their folder and the folders of another layout that were not read. */
export type RegionFolder = { readonly regions: readonly RegionPath[]; readonly place: string; readonly unread: readonly string[] }

/**
 * The region files of a folder, or of the world folder around it. Of two layouts the newer one. Throws AppError `invalid` when
 * there are none.
 */
export const listRegionFiles = async (folder: string): Promise<RegionFolder> => {
  const found: { readonly place: string; readonly regions: RegionPath[] }[] = []
  for (const place of places) {
    const regions = await listFolder(join(folder, place))
    if (regions.length > 0) found.push({ place, regions })
  }
  const [first, ...others] = found
  if (first !== undefined)
    return {
      regions: first.regions.sort((a, b) => a.rx - b.rx || a.rz - b.rz),
      place: first.place,
      unread: others.map(({ place }) => place),
    }
  throw new AppError(
    'invalid',
    'bad-request',
    'There are no region files (r.X.Z.mca) in that folder or in its folder "region". Give the folder of a Minecraft Java Edition world.',
  )
}
