import { describe, expect, it } from '@jest/globals'
import { createChatLogWriter } from '../../../realtime/game/chat-log-writer.ts'
import { chatBatches } from '../../../shared/domain/chat/chat-batch.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import { createFixedClock } from '../../support/time/fixed-clock.ts'
import { createCapturedLog } from '../../support/time/silent-log.ts'
import { waitFor } from '../../support/time/wait-for.ts'

const batchesWaitingMax = 256

const line = (text: string) => ({ channel: 'global', from: 'Ada', text, by: 'ada' })

const open = ({ isOn = true } = {}) => {
  const clock = createFixedClock()
  const memory = createMemoryStore()
  const { log, lines: logged } = createCapturedLog()
  const counts = { stored: 0, lost: 0 }
  const state = { isAway: false, puts: 0 }
  const put: typeof memory.put = async (...args) => {
    state.puts += 1
    if (state.isAway) throw new AppError('unavailable', 'service-unavailable', 'The store is away.')
    return memory.put(...args)
  }
  const writer = createChatLogWriter({
    store: { put },
    clock,
    nodeId: 'node',
    world: 'one',
    isOn: () => isOn,
    metrics: {
      countChatLog: (outcome, lines) => {
        counts[outcome] += lines
      },
    },
    log,
  })
  const stored = async () => (await memory.list(chatBatches, { limit: 1000 })).records.map(({ value }) => value)
  return { clock, writer, counts, state, stored, logged }
}

describe('the writer of the chat log', () => {
  it('stores the lines of five seconds in one batch', async () => {
    const { clock, writer, counts, state, stored } = open()
    clock.advance(5_000 - (clock.now() % 5_000))
    writer.note([line('one'), line('two')])
    clock.advance(4_999)
    writer.note([line('three')])
    writer.step()
    expect(state.puts).toBe(0)
    clock.advance(1)
    writer.step()
    await waitFor(() => counts.stored === 3)
    expect(await stored()).toEqual([
      {
        world: 'one',
        lines: [
          { ms: 0, ...line('one') },
          { ms: 0, ...line('two') },
          { ms: 4_999, ...line('three') },
        ],
      },
    ])
  })

  it('keeps lines while the store is away, up to its limit, and counts and logs the others', async () => {
    const { clock, writer, counts, state, stored, logged } = open()
    state.isAway = true
    for (let slot = 0; slot < batchesWaitingMax + 10; slot += 1) {
      writer.note([line(String(slot))])
      clock.advance(5_000)
      writer.step()
    }
    expect(counts).toEqual({ stored: 0, lost: 10 })
    const missing = () => logged.flatMap(({ msg, lines }) => (String(msg).includes('missing in the chat log') ? [lines] : []))
    expect(missing()).toEqual([1])
    await waitFor(() => logged.some(({ msg }) => String(msg).includes('retrying later')))
    state.isAway = false
    await writer.flush()
    expect(counts).toEqual({ stored: batchesWaitingMax, lost: 10 })
    expect(missing()).toEqual([1, 9])
    expect(await stored()).toHaveLength(batchesWaitingMax)
  })

  it('splits a busy slot into batches of at most 200 lines or 48 KiB', async () => {
    const { clock, writer, stored } = open()
    clock.advance(5_000 - (clock.now() % 5_000))
    writer.note(Array.from({ length: 450 }, (_, n) => line(String(n))))
    writer.note(Array.from({ length: 50 }, () => line('\u{1f600}'.repeat(512))))
    await writer.flush()
    const batches = await stored()
    expect(batches.map(({ lines }) => lines.length)).toEqual([200, 200, 74, 24, 2])
    for (const batch of batches) expect(Buffer.byteLength(JSON.stringify(batch))).toBeLessThan(100_000)
  })

  it('stores nothing while it is off', async () => {
    const { writer, state } = open({ isOn: false })
    writer.note([line('one')])
    await writer.flush()
    expect(state.puts).toBe(0)
  })

  it('logs the last lines that could not be written when it ends', async () => {
    const { writer, state, logged } = open()
    state.isAway = true
    writer.note([line('one')])
    await writer.flush()
    expect(logged.map(({ msg }) => msg)).toContain('the last chat lines were not stored')
  })
})
