/**
 * The format of a stored column, little-endian:
 * - magic u8, version u8, cx i32, cz i32;
 * - the ids that it uses: their number u32, then each as length u8 and ASCII;
 * - the sections that are not all air, lowest first: their number u8, then each section;
 * - a section: y u8, bits u8, palette length u16, the palette (u16 each, an index into the ids), data as in memory;
 * - the CRC-32 of all bytes before it, u32.
 *
 * Every version starts with magic and version and ends with the CRC-32. So a newer record can be distinguished from a damaged one.
 */
export const chunkRecord = {
  magic: 0xc6,
  version: 1,
  headBytes: 1 + 1 + 4 + 4,
  idCountBytes: 4,
  sectionCountBytes: 1,
  sectionHeadBytes: 1 + 1 + 2,
  paletteEntryBytes: 2,
  checksumBytes: 4,
} as const
