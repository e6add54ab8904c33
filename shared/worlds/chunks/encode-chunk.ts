import { crc32 } from 'node:zlib'
import type { BlockRegistry } from './block-registry.ts'
import type { Chunk, Section } from './chunk.ts'
import { chunkRecord } from './chunk-record.ts'
import { compactSection } from './compact-section.ts'

type Plan = {
  readonly sections: readonly { readonly y: number; readonly section: Section }[]
  readonly places: ReadonlyMap<number, number>
}

const planRecord = (chunk: Chunk): Plan => {
  const sections: { y: number; section: Section }[] = []
  const places = new Map<number, number>()
  for (const [y, loose] of chunk.sections.entries()) {
    const section = loose === undefined ? undefined : compactSection(loose)
    if (section === undefined) continue
    sections.push({ y, section })
    for (const index of section.palette) if (!places.has(index)) places.set(index, places.size)
  }
  return { sections, places }
}

const sizeOf = ({ sections }: Plan, ids: readonly string[]): number => {
  const r = chunkRecord
  let size = r.headBytes + r.idCountBytes + r.sectionCountBytes + r.checksumBytes
  for (const id of ids) size += 1 + id.length
  for (const { section } of sections)
    size += r.sectionHeadBytes + section.palette.length * r.paletteEntryBytes + section.data.length
  return size
}

type Target = { readonly bytes: Uint8Array; readonly view: DataView }

const writeHead = ({ view }: Target, { cx, cz }: Chunk): number => {
  view.setUint8(0, chunkRecord.magic)
  view.setUint8(1, chunkRecord.version)
  view.setInt32(2, cx, true)
  view.setInt32(6, cz, true)
  return chunkRecord.headBytes
}

const writeIds = ({ bytes, view }: Target, ids: readonly string[], start: number): number => {
  view.setUint32(start, ids.length, true)
  let at = start + chunkRecord.idCountBytes
  for (const id of ids) {
    bytes[at] = id.length
    at += 1
    for (let place = 0; place < id.length; place += 1) bytes[at + place] = id.charCodeAt(place)
    at += id.length
  }
  return at
}

const writeSections = ({ bytes, view }: Target, { sections, places }: Plan, start: number): number => {
  bytes[start] = sections.length
  let at = start + chunkRecord.sectionCountBytes
  for (const { y, section } of sections) {
    bytes[at] = y
    bytes[at + 1] = section.bits
    view.setUint16(at + 2, section.palette.length, true)
    at += chunkRecord.sectionHeadBytes
    for (const index of section.palette) {
      view.setUint16(at, places.get(index) ?? 0, true)
      at += chunkRecord.paletteEntryBytes
    }
    bytes.set(section.data, at)
    at += section.data.length
  }
  return at
}

/**
 * A column as a record of its own, in the form of `chunkRecord`: block ids instead of indexes, no unused palette entry, no all-air
 * section, and entries as narrow as that allows. The chunk stays as it is; the bytes have a buffer of their own.
 */
export const encodeChunk = (chunk: Chunk, registry: BlockRegistry): Uint8Array<ArrayBuffer> => {
  const plan = planRecord(chunk)
  const ids = Array.from(plan.places.keys(), registry.idOf)
  const bytes = new Uint8Array(sizeOf(plan, ids))
  const target = { bytes, view: new DataView(bytes.buffer) }
  const end = writeSections(target, plan, writeIds(target, ids, writeHead(target, chunk)))
  target.view.setUint32(end, crc32(bytes.subarray(0, end)), true)
  return bytes
}
