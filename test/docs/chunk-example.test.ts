import { describe, expect, it } from '@jest/globals'
import { decodeServerMessage } from '../../sdk/protocol/frames.ts'
import { createBlockCache } from '../../sdk/world/block-cache.ts'
import { readPage, readRows, readSection } from '../support/pages/markdown.ts'

const section = readSection(readPage('protocol-notes.md'), '## Reading a Chunk')
const bytesMax = Number(/binary frame of (\d+) bytes/.exec(section)?.[1])

/** The frame on the page: the listed bytes at their places, the rest zeros. */
const frame = new Uint8Array(bytesMax)
const rows = readRows(section)
for (const [from = '', bytes = ''] of rows)
  frame.set(
    bytes.split(' ').map((byte) => Number.parseInt(byte, 16)),
    Number(from),
  )

describe('the example Chunk in docs/protocol-notes.md', () => {
  const message = decodeServerMessage(frame)
  const chunk = message?.$case === 'chunk' ? message.value : undefined

  it('is a valid protocol frame and matches the description on the page', () => {
    expect(rows.length).toBe(13)
    expect(chunk).toMatchObject({
      cx: -1,
      cz: 2,
      sections: [
        { y: 3, palette: [2], bits: 0 },
        { y: 4, palette: [0, 5], bits: 1 },
      ],
    })
    expect(chunk?.sections.map(({ data }) => data.length)).toEqual([0, 512])
  })

  it('decodes by the steps of the page to the same blocks as in the client library', () => {
    const cache = createBlockCache()
    if (chunk !== undefined) cache.putChunk(chunk)
    const kindAt = (x: number, y: number, z: number): number => {
      const layer = chunk?.sections.find((one) => one.y === y >> 4)
      if (layer === undefined) return 0
      const { palette, bits, data } = layer
      const e = (y & 15) * 256 + (z & 15) * 16 + (x & 15)
      const entry = bits === 0 ? 0 : ((data[(e * bits) >> 3] ?? 0) >> ((e * bits) & 7)) & ((1 << bits) - 1)
      return palette[entry] ?? Number.NaN
    }
    const others: string[] = []
    for (let y = 0; y < 256; y += 1)
      for (let z = 32; z < 48; z += 1)
        for (let x = -16; x < 0; x += 1) {
          expect(cache.indexAt(x, y, z)).toBe(kindAt(x, y, z))
          if (kindAt(x, y, z) === 5) others.push(`${y} ${z} ${x}`)
        }
    expect(others).toEqual(['64 32 -15', '64 47 -1'])
    expect(cache.indexAt(-8, 50, 40)).toBe(2)
  })
})
