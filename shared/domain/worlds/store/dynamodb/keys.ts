import type { ItemKey, ItemRange } from '../../../../platform/storage/dynamodb/dynamodb-calls.ts'
import type { ChunkPos } from '../../../../rules/positions.ts'
import type { RegionPos } from '../region-bitmap.ts'

const bias = 2 ** 31
const digits = (coordinate: number): string => (coordinate + bias).toString(16).padStart(8, '0')
const coordinate = (text: string | undefined): number => Number.parseInt(text ?? '', 16) - bias

/** Sorts after all keys with the same prefix that continue with digits, letters, commas and slashes. */
const end = '~'

/** The state of a world. All of its items but the columns share its partition key. Names of worlds have no slash. */
export const worldKey = (name: string): ItemKey => ({ pk: name, sk: 'world' })

/** Each column has its own partition key, so that a busy place can use all of DynamoDB's throughput. */
export const columnKey = (name: string, { cx, cz }: ChunkPos): ItemKey => ({ pk: `${name}/${cx},${cz}`, sk: 'column' })

/** Sixteen digits that sort like the coordinates. */
export const regionKey = (name: string, { rx, rz }: RegionPos): ItemKey => ({
  pk: name,
  sk: `region/${digits(rx)}/${digits(rz)}`,
})

/** The regions from one `rx` to another. */
export const regionRange = (name: string, minRx: number, maxRx: number): ItemRange => ({
  pk: name,
  from: `region/${digits(minRx)}`,
  to: `region/${digits(maxRx)}/${end}`,
})

/** The region of a `regionKey`. */
export const readRegionKey = (sk: string): RegionPos => {
  const [, rx, rz] = sk.split('/')
  return { rx: coordinate(rx), rz: coordinate(rz) }
}

/** The record of a column that was set aside by the write of that number. */
export const setAsideKey = (name: string, { cx, cz }: ChunkPos, seq: number): ItemKey => ({
  pk: name,
  sk: `aside/${cx},${cz}/${seq}`,
})

/** All records that were set aside. */
export const setAsideRange = (name: string): ItemRange => ({ pk: name, from: 'aside/', to: `aside/${end}` })

/** The column of a `setAsideKey`. */
export const readSetAsideKey = (sk: string): ChunkPos => {
  const [cx, cz] = (sk.split('/')[1] ?? '').split(',')
  return { cx: Number(cx), cz: Number(cz) }
}

/** A side record of a world. */
export const sideKey = (name: string, key: string): ItemKey => ({ pk: name, sk: `side/${key}` })

/** The side records whose keys start with `prefix`: those after the key `after`, or all. */
export const sideRange = (name: string, prefix: string, after?: string): ItemRange => ({
  pk: name,
  // Keys have no character as low as "!".
  from: after === undefined ? `side/${prefix}` : `side/${after}!`,
  to: `side/${prefix}${end}`,
})

/** The key of a `sideKey`. */
export const readSideKey = (sk: string): string => sk.slice('side/'.length)

/** A part of a pending batch. */
export const batchKey = (name: string, batchId: string, part: number): ItemKey => ({
  pk: name,
  sk: `batch/${batchId}/${part}`,
})

/** The parts of all batches. */
const batchRange = (name: string): ItemRange => ({ pk: name, from: 'batch/', to: `batch/${end}` })

/** The parts of all batches but one. */
export const otherBatchRanges = (name: string, batchId: string): readonly ItemRange[] => {
  const { from, to } = batchRange(name)
  return [
    { pk: name, from, to: `batch/${batchId}` },
    { pk: name, from: `batch/${batchId}/${end}`, to },
  ]
}
