/** The years with four digits. Stored times outside them could not be read back. */
const earliestMs = Date.parse('0000-01-01T00:00:00.000Z')
const latestMs = Date.parse('9999-12-31T23:59:59.999Z')

/** The milliseconds of an instant; undefined for a leap second and for years with more than four digits. */
export const readInstantMs = (text: string): number | undefined => {
  const ms = Date.parse(text)
  return ms >= earliestMs && ms <= latestMs ? ms : undefined
}
