import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import { decodeClientFrame, encodeServerMessage } from '../../realtime/protocol/messages.ts'
import { decodeServerMessage, encodeClientMessage } from '../../sdk/protocol/frames.ts'
import { createBlockCache } from '../../sdk/world/block-cache.ts'
import { readMoves } from '../../sdk/world/read-moves.ts'

type Vector = {
  readonly name: string
  readonly from: 'client' | 'server'
  readonly frame: string
  readonly text: object
  readonly blocks?: {
    readonly counts: Readonly<Record<string, number>>
    readonly at: readonly [number, number, number, number][]
  }
  readonly players?: object
}

const root = resolve(import.meta.dirname, '../..')
const vectors: readonly Vector[] = JSON.parse(readFileSync(join(root, 'docs/protocol-vectors.json'), 'utf8')).vectors
const frameOf = ({ frame }: Vector): Uint8Array => new Uint8Array(Buffer.from(frame, 'base64'))
const known = vectors.filter(({ name }) => !name.startsWith('unknown-'))

describe('docs/protocol-vectors.json', () => {
  it('has a frame of every message of the protocol', () => {
    const proto = readFileSync(join(root, 'realtime/protocol/gatehouse.proto'), 'utf8')
    const kindsOf = (name: string): string[] =>
      [...(new RegExp(`message ${name} {\n  oneof kind {([^}]*)`).exec(proto)?.[1] ?? '').matchAll(/^ +\w+ (\w+) = \d+;/gm)].map(
        ([, kind = '']) => kind.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      )
    for (const [from, name] of [
      ['client', 'ClientMessage'],
      ['server', 'ServerMessage'],
    ] as const) {
      const kinds = kindsOf(name)
      expect(kinds.length).toBeGreaterThan(9)
      const shown = vectors.filter((one) => one.from === from).flatMap(({ text }) => Object.keys(text))
      expect(kinds.filter((kind) => !shown.includes(kind))).toEqual([])
    }
  })

  it.each(known.filter(({ from }) => from === 'client').map((one) => [one.name, one] as const))(
    'has %s as the client library sends it, in both kinds of frames',
    (_name, vector) => {
      const decoded = decodeClientFrame(frameOf(vector), 'binary')
      if (!decoded.ok) throw new Error(decoded.detail)
      expect(Buffer.from(encodeClientMessage(decoded.message)).toString('base64')).toBe(vector.frame)
      expect(decodeClientFrame(Buffer.from(JSON.stringify(vector.text)), 'text')).toEqual(decoded)
    },
  )

  it.each(known.filter(({ from }) => from === 'server').map((one) => [one.name, one] as const))(
    'has %s as the client library reads it, in both kinds of frames',
    (_name, vector) => {
      const message = decodeServerMessage(frameOf(vector))
      if (message === undefined) throw new Error('an unknown message')
      expect(JSON.parse(Buffer.from(encodeServerMessage(message, 'text')).toString())).toEqual(vector.text)
    },
  )

  it.each(vectors.flatMap((one) => (one.blocks === undefined ? [] : [[one.name, one, one.blocks] as const])))(
    'tells the blocks of %s',
    (_name, vector, { counts, at }) => {
      const message = decodeServerMessage(frameOf(vector))
      if (message?.$case !== 'chunk') throw new Error('not a Chunk')
      const { cx, cz } = message.value
      const cache = createBlockCache()
      cache.putChunk(message.value)
      const counted: Record<string, number> = {}
      for (let y = 0; y < 256; y += 1)
        for (let entry = 0; entry < 256; entry += 1) {
          const index = cache.indexAt(cx * 16 + (entry & 15), y, cz * 16 + (entry >> 4)) ?? -1
          counted[index] = (counted[index] ?? 0) + 1
        }
      expect(counted).toEqual(counts)
      for (const [x, y, z, index] of at) expect(cache.indexAt(x, y, z)).toBe(index)
    },
  )

  it('tells the players in view after each Players message', () => {
    const players = new Map<number, object>()
    for (const vector of vectors) {
      if (vector.players === undefined) continue
      const message = decodeServerMessage(frameOf(vector))
      if (message?.$case !== 'players') throw new Error('not Players')
      for (const ref of message.value.gone) players.delete(ref)
      for (const { ref, displayName, position } of message.value.appeared) players.set(ref, { displayName, ...position })
      for (const cell of message.value.cells)
        readMoves(cell, (ref, x, y, z, yaw, pitch) => {
          const before = players.get(ref)
          if (before !== undefined) players.set(ref, { ...before, x, y, z, yaw, pitch })
        })
      expect([vector.name, Object.fromEntries(players)]).toEqual([vector.name, vector.players])
    }
    expect([...players.keys()]).toEqual([7])
  })

  it('has frames of a later version, which the client library reads as far as it can', () => {
    const [field, message] = ['unknown-field', 'unknown-message'].map((name) => vectors.find((one) => one.name === name))
    expect(field && decodeServerMessage(frameOf(field))).toEqual({ $case: 'pong', value: { nonce: 1, serverTime: 0 } })
    expect(message && decodeServerMessage(frameOf(message))).toBeUndefined()
  })
})
