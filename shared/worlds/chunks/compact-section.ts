import { air, bitsFor, type Section } from './chunk.ts'
import { findUsedEntries, repackEntries } from './packed-entries.ts'

/**
 * A section of the same blocks whose palette has no unused entry and whose entries are as narrow as that allows; undefined when all is
 * air. The very same section comes back where there is nothing to gain.
 */
export const compactSection = (section: Section): Section | undefined => {
  const used = findUsedEntries(section, section.palette.length)
  const palette = section.palette.filter((_, place) => used[place] === 1)
  const bits = bitsFor(palette.length)
  if (bits === 0) return palette[0] === air ? undefined : { palette, bits, data: new Uint8Array(0) }
  if (bits === section.bits && palette.length === section.palette.length) return section
  const placeOf = section.palette.map((index) => Math.max(0, palette.indexOf(index)))
  const { data } = repackEntries(section, bits, placeOf)
  return { palette, bits, data }
}
