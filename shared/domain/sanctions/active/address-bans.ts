import { findAddressRange, prefixOf, readAddressBits } from '../address-range.ts'

/** Values by ranges of addresses. A search costs one look-up for each length of the ranges, regardless of their number. */
export type AddressBans<T> = {
  add(range: string, value: T): void
  remove(range: string, value: T): void
  /** The values of all ranges that contain the address. */
  findAll(address: string): readonly T[]
}

export const createAddressBans = <T>(): AddressBans<T> => {
  const byLength = new Map<number, Map<bigint, Set<T>>>()

  return {
    add: (text, value) => {
      const range = findAddressRange(text)
      if (range === undefined) return
      const { bits, length } = range
      const ranges = byLength.get(length) ?? new Map<bigint, Set<T>>()
      const prefix = prefixOf(bits, length)
      ranges.set(prefix, (ranges.get(prefix) ?? new Set()).add(value))
      byLength.set(length, ranges)
    },
    remove: (text, value) => {
      const range = findAddressRange(text)
      const ranges = range && byLength.get(range.length)
      if (range === undefined || ranges === undefined) return
      const prefix = prefixOf(range.bits, range.length)
      const values = ranges.get(prefix)
      values?.delete(value)
      if (values?.size === 0) ranges.delete(prefix)
      if (ranges.size === 0) byLength.delete(range.length)
    },
    findAll: (address) => {
      const bits = byLength.size === 0 ? undefined : readAddressBits(address)
      if (bits === undefined) return []
      const values: T[] = []
      for (const [length, ranges] of byLength) values.push(...(ranges.get(prefixOf(bits, length)) ?? []))
      return values
    },
  }
}
