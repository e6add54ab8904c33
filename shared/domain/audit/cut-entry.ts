import type { AuditEntry } from './audit-log.ts'

/** Bytes of JSON. Entries up to the first limit are never cut; a cut side is at most the second. So 200 entries stay below 2 MB. */
const entryBytesMax = 8000
const sideBytesMax = 3000

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value) ?? '')

const isPlain = (side: unknown): side is Readonly<Record<string, unknown>> =>
  typeof side === 'object' && side !== null && !Array.isArray(side)

/** The side with its longest values replaced by `{cut: bytes}`, as many as needed; unchanged if it is short. */
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

/** The entry for lists. A long one loses its long values and the changes grouped in it, and gets `cut`, its size in bytes. Idempotent. */
export const cutEntry = (entry: AuditEntry): AuditEntry => {
  if (entry.cut !== undefined) return entry
  const bytes = bytesOf(entry)
  if (bytes <= entryBytesMax) return entry
  const { more: _, ...rest } = entry
  return { ...rest, before: cutSide(entry.before), after: cutSide(entry.after), cut: bytes }
}
