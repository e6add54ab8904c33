import { crc32 } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import { encodeChunk } from '../../../../../shared/domain/worlds/chunks/compress-chunk.ts'
import { decodeChunk } from '../../../../../shared/domain/worlds/chunks/decode-chunk.ts'
import { type Chunk, createChunk, getBlock, setBlock } from '../../../../../shared/rules/chunks/chunk.ts'
import { createSampleChunk, createSampleRegistry, listBlocks } from '../../../../support/worlds/chunk-samples.ts'

const names = ['stone', 'soil', 'ore', 'tower']
const registry = createSampleRegistry(names)
const pos = { cx: 12, cz: -34 }

const idsOf = (chunk: Chunk, idOf: (index: number) => string): string[] => Array.from(listBlocks(chunk, getBlock), idOf)

const decoded = (bytes: Uint8Array, known = registry): Chunk => {
  const result = decodeChunk(bytes, pos, known)
  if (!result.ok) throw new Error(result.fault)
  return result.chunk
}

/** A record with these bytes between header and checksum. */
const recordOf = (body: readonly number[], { version = 1, magic = 0xc6 } = {}): Uint8Array => {
  const head = Buffer.alloc(10)
  head.set([magic, version])
  head.writeInt32LE(pos.cx, 2)
  head.writeInt32LE(pos.cz, 6)
  const bytes = Buffer.concat([head, Uint8Array.from(body), Buffer.alloc(4)])
  bytes.writeUInt32LE(crc32(bytes.subarray(0, -4)), bytes.length - 4)
  return bytes
}

const ascii = (text: string): number[] => [text.length, ...Buffer.from(text)]
const table = (...ids: string[]): number[] => [ids.length, 0, 0, 0, ...ids.flatMap(ascii)]

describe('the codec of columns', () => {
  it('round-trips blocks', () => {
    const chunk = createSampleChunk(pos.cx, pos.cz)
    const again = decoded(encodeChunk(chunk, registry))
    expect([again.cx, again.cz, again.sections.length]).toEqual([12, -34, 16])
    expect(listBlocks(again, getBlock)).toEqual(listBlocks(chunk, getBlock))
  })

  it('encodes equal blocks to equal bytes, and does not change the column', () => {
    const chunk = createSampleChunk(pos.cx, pos.cz)
    const before = structuredClone(chunk)
    const bytes = encodeChunk(chunk, registry)
    expect(encodeChunk(decoded(bytes), registry)).toEqual(bytes)
    expect(chunk).toEqual(before)
  })

  it('encodes a column of air in nineteen bytes, whatever its history', () => {
    const chunk = createChunk(pos.cx, pos.cz)
    expect(encodeChunk(chunk, registry)).toHaveLength(19)
    setBlock(chunk, { x: 1, y: 1, z: 1 }, 2)
    setBlock(chunk, { x: 1, y: 1, z: 1 }, 0)
    const bytes = encodeChunk(chunk, registry)
    expect(bytes).toHaveLength(19)
    expect(decoded(bytes).sections.every((section) => section === undefined)).toBe(true)
  })

  it('drops kinds that no block uses', () => {
    const chunk = createSampleChunk(pos.cx, pos.cz)
    const bytes = encodeChunk(chunk, registry)
    for (let y = 34; y < 120; y += 1) setBlock(chunk, { x: 8, y, z: 8 }, 0)
    const less = encodeChunk(chunk, registry)
    expect(Buffer.from(bytes).includes('tower')).toBe(true)
    expect(Buffer.from(less).includes('tower')).toBe(false)
    expect(less.length).toBeLessThan(bytes.length)
    expect(listBlocks(decoded(less), getBlock)).toEqual(listBlocks(chunk, getBlock))
  })

  it('keeps ids when the order of the kinds changes', () => {
    const other = createSampleRegistry(['water', 'tower', 'ore', 'sand', 'soil', 'stone'])
    const chunk = createSampleChunk(pos.cx, pos.cz)
    const again = decoded(encodeChunk(chunk, registry), other)
    expect(idsOf(again, other.idOf)).toEqual(idsOf(chunk, registry.idOf))
    expect(getBlock(again, 8, 60, 8)).toBe(other.find('tower')?.index)
  })

  it('keeps unknown ids through a load and a save, and shows them as the placeholder', () => {
    const chunk = createSampleChunk(pos.cx, pos.cz)
    const poor = createSampleRegistry(['soil'])
    const loaded = decoded(encodeChunk(chunk, registry), poor)
    expect(idsOf(loaded, poor.idOf)).toEqual(idsOf(chunk, registry.idOf))
    expect(poor.wireIndex(getBlock(loaded, 8, 60, 8))).toBe(1)
    setBlock(loaded, { x: 0, y: 200, z: 0 }, 2)
    const again = decoded(encodeChunk(loaded, poor))
    setBlock(chunk, { x: 0, y: 200, z: 0 }, 3)
    expect(listBlocks(again, getBlock)).toEqual(listBlocks(chunk, getBlock))
  })

  it('keeps no reference to its input, and returns bytes in a buffer of their own', () => {
    const chunk = createSampleChunk(pos.cx, pos.cz)
    const bytes = encodeChunk(chunk, registry)
    expect(bytes.buffer.byteLength).toBe(bytes.length)
    const reused = Buffer.alloc(bytes.length + 100)
    reused.set(bytes, 37)
    const again = decoded(reused.subarray(37, 37 + bytes.length))
    reused.fill(0xff)
    expect(listBlocks(again, getBlock)).toEqual(listBlocks(chunk, getBlock))
  })

  it.each([
    [1, 2, 0],
    [2, 4, 1],
    [2, 16, 1],
    [3, 40, 2],
    [5, 300, 4],
    [16, 300, 4],
    [17, 300, 8],
    [256, 300, 8],
    [257, 400, 16],
  ])('narrows a section to the %d kinds that are left of %d', (left, before, bits) => {
    const many = createSampleRegistry([])
    const kinds = Array.from({ length: before }, (_, kind) => many.intern(`kind_${kind.toString(36)}`))
    const chunk = createChunk(pos.cx, pos.cz)
    for (const count of [before, left])
      for (let at = 0; at < 4096; at += 1) setBlock(chunk, { x: at & 15, y: at >> 8, z: (at >> 4) & 15 }, kinds[at % count] ?? 0)
    const again = decoded(encodeChunk(chunk, many), many)
    expect(again.sections[0]?.palette).toHaveLength(left)
    expect(again.sections[0]?.bits).toBe(bits)
    expect(listBlocks(again, getBlock)).toEqual(listBlocks(chunk, getBlock))
  })

  it('leaves out a section in which every block became air', () => {
    const chunk = createChunk(pos.cx, pos.cz)
    const empty = encodeChunk(chunk, registry)
    setBlock(chunk, { x: 1, y: 2, z: 3 }, 2)
    setBlock(chunk, { x: 1, y: 2, z: 3 }, 0)
    expect(encodeChunk(chunk, registry)).toEqual(empty)
  })

  it('supports more kinds than 16 bits address: every block its own', () => {
    const many = createSampleRegistry([])
    const chunk = createChunk(pos.cx, pos.cz)
    for (let at = 0; at < 65_536; at += 1)
      setBlock(chunk, { x: at & 15, y: at >> 8, z: (at >> 4) & 15 }, many.intern(`kind_${at.toString(36)}`))
    const again = decoded(encodeChunk(chunk, many), many)
    for (const at of [0, 1, 4095, 4096, 40_000, 65_535])
      expect(many.idOf(getBlock(again, at & 15, at >> 8, (at >> 4) & 15))).toBe(`kind_${at.toString(36)}`)
  })
})

describe('a damaged record', () => {
  const small = createChunk(pos.cx, pos.cz)
  setBlock(small, { x: 5, y: 70, z: 5 }, 2)
  setBlock(small, { x: 6, y: 70, z: 5 }, 3)
  const whole = encodeChunk(small, registry)

  it('is detected for every flipped bit', () => {
    for (let at = 0; at < whole.length; at += 1)
      for (let bit = 0; bit < 8; bit += 1) {
        const bytes = whole.slice()
        bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
        expect(decodeChunk(bytes, pos, registry)).toMatchObject({ ok: false, newer: false })
      }
  })

  it('is detected when it is cut, or has bytes before or after', () => {
    for (let length = 0; length < whole.length; length += 1) {
      expect(decodeChunk(whole.subarray(0, length), pos, registry).ok).toBe(false)
      if (length > 0) expect(decodeChunk(whole.subarray(length), pos, registry).ok).toBe(false)
    }
    expect(decodeChunk(Buffer.concat([whole, Buffer.alloc(1)]), pos, registry).ok).toBe(false)
    expect(decodeChunk(Buffer.concat([Buffer.alloc(1), whole]), pos, registry).ok).toBe(false)
  })

  it('never throws and is never accepted, with any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 3000 }), (bytes) => expect(decodeChunk(bytes, pos, registry).ok).toBe(false)),
    )
  })

  it('with a valid checksum never throws, and decodes to a column that can be saved', () => {
    const chunk = createSampleChunk(pos.cx, pos.cz)
    const body = [...encodeChunk(chunk, registry).subarray(10, -4)]
    const change = fc.record({ at: fc.oneof(fc.nat(60), fc.nat(body.length - 1)), byte: fc.nat(255) })
    fc.assert(
      fc.property(fc.array(change, { minLength: 1, maxLength: 3 }), fc.option(fc.nat(body.length)), (changes, cut) => {
        const changed = cut === null ? [...body] : body.slice(0, cut)
        for (const { at, byte } of changes) if (at < changed.length) changed[at] = byte
        const own = createSampleRegistry(names)
        const result = decodeChunk(recordOf(changed), pos, own)
        if (result.ok)
          expect(listBlocks(decoded(encodeChunk(result.chunk, own), own), getBlock)).toEqual(listBlocks(result.chunk, getBlock))
        else expect(result.fault).not.toBe('')
      }),
      { numRuns: 300 },
    )
  })

  it.each<[string, Uint8Array, RegExp]>([
    ['a format older than the first', recordOf([...table(), 0], { version: 0 }), /format 0 does not exist/],
    ['something else', recordOf([...table(), 0], { magic: 0xc7 }), /not a column record/],
    ['more ids than bytes', recordOf([255, 255, 255, 255, 0]), /more block ids/],
    ['an id in capitals', recordOf([...table('Stone'), 0]), /is not valid/],
    ['an empty id', recordOf([...table(''), 0]), /is not valid/],
    ['an id of 65 letters', recordOf([...table('a'.repeat(65)), 0]), /is not valid/],
    ['an id with a byte beyond ASCII', recordOf([1, 0, 0, 0, 2, 0x61, 0xe9, 0]), /is not valid/],
    ['a duplicate id', recordOf([...table('stone', 'stone'), 0]), /duplicate block id/],
    ['a truncated id', recordOf([1, 0, 0, 0, 60, 0x61]), /is not valid/],
    ['no palette', recordOf([...table('stone'), 1, 0, 0, 0, 0]), /palette with a wrong length/],
    ['a palette longer than the record', recordOf([...table('stone'), 1, 0, 16, 255, 255]), /palette with a wrong length/],
    ['a palette entry without an id', recordOf([...table('stone'), 1, 0, 0, 1, 0, 1, 0]), /without a block id/],
    ['a palette with a duplicate kind', recordOf([...table('stone'), 1, 0, 1, 2, 0, 0, 0, 0, 0]), /duplicate block/],
    ['bits that do not fit the palette', recordOf([...table('stone'), 1, 0, 1, 1, 0, 0, 0]), /1 bits for a palette of 1/],
    ['an invalid number of bits', recordOf([...table('stone'), 1, 0, 3, 1, 0, 0, 0]), /3 bits/],
    ['truncated data', recordOf([...table('stone', 'soil'), 1, 0, 1, 2, 0, 0, 0, 1, 0, 7]), /ends in the middle of a section/],
    ['a section above the world', recordOf([...table('stone'), 1, 16, 0, 1, 0, 0, 0]), /above the world/],
    ['a duplicate section', recordOf([...table('stone'), 2, 3, 0, 1, 0, 0, 0, 3, 0, 1, 0, 0, 0]), /section 3 is duplicate/],
    ['sections out of order', recordOf([...table('stone'), 2, 3, 0, 1, 0, 0, 0, 2, 0, 1, 0, 0, 0]), /section 2 is duplicate or/],
    ['fewer sections than its header counts', recordOf([...table('stone'), 2, 3, 0, 1, 0, 0, 0]), /palette with a wrong length/],
    ['bytes after its sections', recordOf([...table('stone'), 1, 3, 0, 1, 0, 0, 0, 9]), /length/],
    [
      'an entry of 2 bits beyond its palette of 3',
      recordOf([...table('a', 'b', 'c'), 1, 0, 2, 3, 0, 0, 0, 1, 0, 2, 0, ...Array(1023).fill(0), 0b1100_0000]),
      /beyond its palette/,
    ],
  ])('is reported for %s', (_, bytes, fault) => {
    const result = decodeChunk(bytes, pos, registry)
    expect(result).toMatchObject({ ok: false, newer: false, fault: expect.stringMatching(fault) })
  })

  it.each([
    [17, 8, 17],
    [300, 16, 300],
  ])('is reported for an entry beyond a palette of %d in %d bits', (length, bits, entry) => {
    const ids = Array.from({ length }, (_, place) => `k${place}`)
    const palette = ids.flatMap((_, place) => [place & 255, place >> 8])
    const data = Array<number>((4096 * bits) / 8).fill(0)
    const bytesOf = (value: number) => {
      data.splice(data.length - bits / 8, bits / 8, ...[value & 255, value >> 8].slice(0, bits / 8))
      const count = [length & 255, length >> 8]
      return recordOf([...count, 0, 0, ...ids.flatMap(ascii), 1, 0, bits, ...count, ...palette, ...data])
    }
    expect(decodeChunk(bytesOf(entry - 1), pos, createSampleRegistry([])).ok).toBe(true)
    expect(decodeChunk(bytesOf(entry), pos, createSampleRegistry([]))).toMatchObject({ fault: 'an entry beyond its palette' })
  })

  it('differs from one of a newer version', () => {
    expect(decodeChunk(recordOf([1, 2, 3], { version: 2 }), pos, registry)).toEqual({
      ok: false,
      newer: true,
      fault: 'made by a newer version (format 2, known is 1)',
    })
  })

  it('includes one of another column', () => {
    expect(decodeChunk(whole, { cx: 12, cz: 34 }, registry)).toEqual({
      ok: false,
      newer: false,
      fault: 'it is column 12,-34, not 12,34',
    })
  })

  it('adds no id to the registry', () => {
    const own = createSampleRegistry([])
    decodeChunk(recordOf([...table('cheese'), 1, 0, 1, 1, 0, 0, 0]), pos, own)
    expect(own.intern('first')).toBe(2)
  })
})
