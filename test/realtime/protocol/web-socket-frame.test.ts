import { describe, expect, it } from '@jest/globals'
import { createFrame } from '../../../realtime/protocol/web-socket-frame.ts'
import { unwrapFrame } from '../../support/realtime/players-model.ts'

describe('a finished frame', () => {
  it.each([0, 1, 125, 126, 65_535, 65_536, 100_000])('of %d bytes has its kind and length as in RFC 6455', (bytes) => {
    const payload = Buffer.alloc(bytes, 7)
    for (const kind of ['binary', 'text'] as const) {
      const frame = createFrame(payload, kind)
      expect(unwrapFrame(frame)).toEqual({ kind, payload })
      expect(frame.length - bytes).toBe(bytes < 126 ? 2 : bytes < 65_536 ? 4 : 10)
    }
  })
})
