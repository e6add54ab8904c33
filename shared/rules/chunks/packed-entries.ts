/** Bits of one entry: powers of two, so that no entry spans two bytes. */
export type SectionBits = 0 | 1 | 2 | 4 | 8 | 16

/**
 * One number for each block of a section: `bits` wide, lowest bits first, 16 bits little-endian. With 0 bits there is no data, and all
 * are 0.
 */
export type PackedEntries = { readonly bits: SectionBits; readonly data: Uint8Array }

/** The number of entries in a section: one for each block of 16×16×16. */
export const sectionSize = 4096

/** The number of bytes of a section's data. */
export const dataBytes = (bits: SectionBits): number => (sectionSize * bits) / 8

/** The entry at an index in 0…4095. */
export const readEntry = ({ bits, data }: PackedEntries, at: number): number => {
  if (bits === 0) return 0
  if (bits === 8) return data[at] ?? 0
  if (bits === 16) return (data[at * 2] ?? 0) | ((data[at * 2 + 1] ?? 0) << 8)
  const bit = at * bits
  return ((data[bit >> 3] ?? 0) >> (bit & 7)) & ((1 << bits) - 1)
}

/** Sets the entry at an index in 0…4095. The value must fit into the bits. */
export const writeEntry = ({ bits, data }: PackedEntries, at: number, entry: number): void => {
  if (bits === 0) return
  if (bits === 8) data[at] = entry
  else if (bits === 16) {
    data[at * 2] = entry & 255
    data[at * 2 + 1] = entry >> 8
  } else {
    const bit = at * bits
    const mask = ((1 << bits) - 1) << (bit & 7)
    data[bit >> 3] = ((data[bit >> 3] ?? 0) & ~mask) | (entry << (bit & 7))
  }
}

const unpackNarrow = ({ bits, data }: PackedEntries, numbers: Uint16Array): void => {
  const mask = (1 << bits) - 1
  let at = 0
  for (const byte of data)
    for (let shift = 0; shift < 8; shift += bits) {
      numbers[at] = (byte >> shift) & mask
      at += 1
    }
}

/** All entries of a section as numbers. */
const unpackEntries = (entries: PackedEntries): Uint16Array => {
  const numbers = new Uint16Array(sectionSize)
  if (entries.bits === 8) numbers.set(entries.data)
  else if (entries.bits === 16) for (let at = 0; at < sectionSize; at += 1) numbers[at] = readEntry(entries, at)
  else if (entries.bits > 0) unpackNarrow(entries, numbers)
  return numbers
}

/** Packs one number for each block of a section. Each must fit into the bits. */
const packEntries = (numbers: Uint16Array, bits: SectionBits): PackedEntries => {
  const data = new Uint8Array(dataBytes(bits))
  if (bits > 0 && bits < 8) {
    let at = 0
    for (let place = 0; place < data.length; place += 1) {
      let byte = 0
      for (let shift = 0; shift < 8; shift += bits) {
        byte |= (numbers[at] ?? 0) << shift
        at += 1
      }
      data[place] = byte
    }
  } else for (let at = 0; at < sectionSize; at += 1) writeEntry({ bits, data }, at, numbers[at] ?? 0)
  return { bits, data }
}

/** A copy of the entries with another width. `placeOf` maps each old entry to a new one; absent, entries keep their value. */
export const repackEntries = (entries: PackedEntries, bits: SectionBits, placeOf?: ArrayLike<number>): PackedEntries => {
  const numbers = unpackEntries(entries)
  if (placeOf !== undefined) for (let at = 0; at < sectionSize; at += 1) numbers[at] = placeOf[numbers[at] ?? 0] ?? 0
  return packEntries(numbers, bits)
}

/** Marks numbers. `mark` returns true once there are `enough` different ones. */
const createMarks = (length: number, enough: number) => {
  const used = new Uint8Array(length)
  let count = 0
  const mark = (entry: number): boolean => {
    if (used[entry] === 0) {
      used[entry] = 1
      count += 1
    }
    return count >= enough
  }
  return { used, mark }
}

/** Checks whole bytes first: there are fewer bytes than entries, and most repeat. */
const markNarrow = ({ bits, data }: PackedEntries, mark: (entry: number) => boolean): void => {
  const seen = new Uint8Array(256)
  for (const byte of data) {
    if (seen[byte] === 1) continue
    seen[byte] = 1
    for (let shift = 0; shift < 8; shift += bits) if (mark((byte >> shift) & ((1 << bits) - 1))) return
  }
}

/** The numbers that occur among the entries: an array with 1 at each of them. Stops after `enough` different numbers. */
export const findUsedEntries = (entries: PackedEntries, enough = Number.POSITIVE_INFINITY): Uint8Array => {
  const { bits } = entries
  const { used, mark } = createMarks(1 << bits, enough)
  if (bits > 0 && bits < 8) markNarrow(entries, mark)
  else for (let at = 0; at < sectionSize; at += 1) if (mark(readEntry(entries, at)) || bits === 0) break
  return used
}
