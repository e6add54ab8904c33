import { air, bitsFor, type Section, uniformSection } from '../../../rules/chunks/chunk.ts'
import { findUsedEntries, repackEntries } from '../../../rules/chunks/packed-entries.ts'

/**
 * The same blocks without unused palette entries and with the narrowest entries; undefined if all is air. Returns the same section if
 * nothing can be saved.
 */
export const compactSection = (section: Section): Section | undefined => {
  const used = findUsedEntries(section, section.palette.length)
  const palette = section.palette.filter((_, place) => used[place] === 1)
  const bits = bitsFor(palette.length)
  if (bits === 0) return palette[0] === air ? undefined : uniformSection(palette[0] ?? air)
  if (bits === section.bits && palette.length === section.palette.length) return section
  const placeOf = section.palette.map((index) => Math.max(0, palette.indexOf(index)))
  const { data } = repackEntries(section, bits, placeOf)
  return { palette, bits, data }
}
