import type { ChunkPos } from '../../../../rules/positions.ts'
import type { SidePage } from '../chunk-store.ts'
import type { RegionPos } from '../region-bitmap.ts'

/** The identity and format of the chunks. Never changes after it is written. */
export const identityKey = Buffer.from('\0identity')

/** The highest fence so far and the number of columns: 64 bits each, big-endian. */
export const stateKey = Buffer.from('\0state')

const prefixes = { column: 0x63, region: 0x72, side: 0x73, setAside: 0x78 } as const
const bias = 2 ** 31

const placeKey = (prefix: number, first: number, second: number, length = 9): Buffer => {
  const key = Buffer.allocUnsafe(length)
  key[0] = prefix
  key.writeUInt32BE(first + bias, 1)
  key.writeUInt32BE(second + bias, 5)
  return key
}

/** `c`, then cx and cz, biased so that bytes sort like the numbers. */
export const columnKey = ({ cx, cz }: ChunkPos): Buffer => placeKey(prefixes.column, cx, cz)

/** `r`, then rx and rz. */
export const regionKey = ({ rx, rz }: RegionPos): Buffer => placeKey(prefixes.region, rx, rz)

/** `x`, then cx, cz, and a number that makes records of one column distinct. */
export const setAsideKey = ({ cx, cz }: ChunkPos, number: number): Buffer => {
  const key = placeKey(prefixes.setAside, cx, cz, 13)
  key.writeUInt32BE(number, 9)
  return key
}

/** `s`, then the key of a side record. */
export const sideKey = (key: string): Buffer => Buffer.concat([Buffer.from([prefixes.side]), Buffer.from(key)])

/** The key of a `sideKey`. */
export const readSideKey = (key: Buffer): string => key.toString('latin1', 1)

/** The side records whose keys start with `prefix`, a page of them or all. */
export const sideRange = (prefix: string, { after, limit }: SidePage = {}) => ({
  // Keys have no character as low as "!".
  start: sideKey(after === undefined ? prefix : `${after}!`),
  end: sideKey(`${prefix}~`),
  ...(limit !== undefined && { limit }),
})

/** Before the first and after the last key of records that were set aside. */
export const setAsideRange = { start: Buffer.from([prefixes.setAside]), end: Buffer.from([prefixes.setAside + 1]) } as const

/** The highest number for `setAsideKey`. */
export const setAsideNumberMax = 2 ** 32 - 1

/** The two coordinates of any key with a place. */
export const readCoordinates = (key: Buffer): readonly [number, number] => [
  key.readUInt32BE(1) - bias,
  key.readUInt32BE(5) - bias,
]

/** The number of a `setAsideKey`. */
export const readSetAsideNumber = (key: Buffer): number => key.readUInt32BE(9)
