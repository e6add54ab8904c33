import type { AuditEntry } from './audit-log.ts'

/** Bytes of JSON. An entry within the first is kept as it is everywhere; a side that is cut comes within the second. 200 entries are under 2 MB. */
const entryBytesMax = 8000
const sideBytesMax = 3000

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

const isPlain = (side: unknown): side is Readonly<Record<string, unknown>> =>
  typeof side === 'object' && side !== null && !Array.isArray(side)

/** The side with its longest values replaced by `{cut: bytes}`, as many as it takes; whole where it is short. */
const cutSide = (side: unknown): unknown => {
  const bytes = bytesOf(side)
  if (bytes <= sideBytesMax) return side
  if (!isPlain(side)) return { cut: bytes }
  const cut: Record<string, unknown> = { ...side }
  const longestFirst = Object.entries(side)
    .map(([key, value]) => ({ key, bytes: bytesOf(value) }))
    .sort((one, other) => other.bytes - one.bytes)
  let left = bytes
  for (const value of longestFirst) {
    if (left <= sideBytesMax) break
    cut[value.key] = { cut: value.bytes }
    left += bytesOf(cut[value.key]) - value.bytes
  }
  return left <= sideBytesMax ? cut : { cut: bytes }
}

/** The entry as lists hold it: a long one without its long values, and with `cut`, its size in bytes. Cutting again changes nothing. */
export const cutEntry = (entry: AuditEntry): AuditEntry => {
  if (entry.cut !== undefined) return entry
  const bytes = bytesOf(entry)
  if (bytes <= entryBytesMax) return entry
  return { ...entry, before: cutSide(entry.before), after: cutSide(entry.after), cut: bytes }
}
