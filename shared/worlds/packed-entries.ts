/** Bits of one entry: powers of two, so that none lies across two bytes. */
export type EntryBits = 0 | 1 | 2 | 4 | 8 | 16

/** Numbers of a section's blocks, `bits` wide each, lowest bits first, 16 bits little-endian; with 0 bits there is no data, and all are 0. */
export type PackedEntries = { readonly bits: EntryBits; readonly data: Uint8Array }

/** Entries of a section: one for each block of 16×16×16. */
export const entriesPerSection = 4096

/** Bytes of a section's data. */
export const dataBytes = (bits: EntryBits): number => (entriesPerSection * bits) / 8

/** The entry at a place in 0…4095. */
export const readEntry = ({ bits, data }: PackedEntries, at: number): number => {
  if (bits === 0) return 0
  if (bits === 8) return data[at] ?? 0
  if (bits === 16) return (data[at * 2] ?? 0) | ((data[at * 2 + 1] ?? 0) << 8)
  const bit = at * bits
  return ((data[bit >> 3] ?? 0) >> (bit & 7)) & ((1 << bits) - 1)
}

/** Puts an entry, which must fit into the bits, at a place in 0…4095. */
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

/** Copies of the entries, each as wide as asked; `placeOf` says what each becomes, and is the same number when absent. */
export const repackEntries = (entries: PackedEntries, bits: EntryBits, placeOf?: ArrayLike<number>): PackedEntries => {
  const packed = { bits, data: new Uint8Array(dataBytes(bits)) }
  for (let at = 0; at < entriesPerSection; at += 1) {
    const entry = readEntry(entries, at)
    writeEntry(packed, at, placeOf === undefined ? entry : (placeOf[entry] ?? 0))
  }
  return packed
}

/** Looks at whole bytes first: there are fewer of them than entries. */
const markNarrow = ({ bits, data }: PackedEntries, used: Uint8Array): void => {
  const bytes = new Uint8Array(256)
  for (const byte of data) bytes[byte] = 1
  for (let byte = 0; byte < 256; byte += 1) {
    if (bytes[byte] === 0) continue
    for (let shift = 0; shift < 8; shift += bits) used[(byte >> shift) & ((1 << bits) - 1)] = 1
  }
}

/** Which numbers there are among the entries: 1 for each that is, by the number, as long as `bits` can tell apart. */
export const findUsedEntries = (entries: PackedEntries): Uint8Array => {
  const { bits, data } = entries
  const used = new Uint8Array(1 << bits)
  if (bits === 0) used[0] = 1
  else if (bits === 8) for (const byte of data) used[byte] = 1
  else if (bits < 8) markNarrow(entries, used)
  else for (let at = 0; at < entriesPerSection; at += 1) used[readEntry(entries, at)] = 1
  return used
}
