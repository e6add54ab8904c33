import { beforeEach, describe, expect, it } from '@jest/globals'
import { createReadRests, type ReadRests, sleepInPlace } from '../../../realtime/socket/read-rests.ts'

const afterRound = () => new Promise((resolve) => setImmediate(resolve))

describe('rests between reads', () => {
  let nowMs: number
  let slept: number[]
  let rests: ReadRests
  const arrive = (messages: number): void => {
    for (let i = 0; i < messages; i += 1) rests.noteMessage()
  }
  beforeEach(() => {
    nowMs = 0
    slept = []
    rests = createReadRests({ clock: { monotonic: () => nowMs }, sleep: (milliseconds) => slept.push(milliseconds) })
    rests.beginTick(50)
  })
  /** A tick of so long in which so many messages arrived, and the first message after it. */
  const passTick = async (tickMs: number, messages: number): Promise<void> => {
    arrive(messages)
    await afterRound()
    nowMs += tickMs
    rests.beginTick(nowMs + tickMs)
    arrive(1)
    await afterRound()
  }
  /** A tick in which many messages had arrived. */
  const becomeBusy = (): void => {
    arrive(100)
    rests.beginTick(nowMs + 50)
  }

  it('are none for a few players', async () => {
    await passTick(50, 100)
    expect(slept).toEqual([])
    await passTick(50, 101)
    expect(slept).toEqual([2])
  })

  it.each([
    [1000, 2000],
    [16, 32],
  ])('begin with more than two messages a millisecond where a tick is due every %d ms too', async (tickMs, messages) => {
    await passTick(tickMs, messages)
    expect(slept).toEqual([])
    await passTick(tickMs, messages + 1)
    expect(slept).toEqual([2])
  })

  it('are none for a few players whose messages came together while a tick was late', async () => {
    await passTick(400, 500)
    expect(slept).toEqual([])
  })

  it('are what is left of two milliseconds since the round began, one a round', async () => {
    becomeBusy()
    arrive(3)
    nowMs = 0.5
    await afterRound()
    expect(slept).toEqual([1.5])
    nowMs = 2
    arrive(40)
    await afterRound()
    expect(slept).toEqual([1.5, 2])
  })

  it('are none where a round takes longer by itself', async () => {
    becomeBusy()
    arrive(20)
    nowMs = 2
    await afterRound()
    expect(slept).toEqual([])
  })

  it('are none just before a tick', async () => {
    becomeBusy()
    nowMs = 46
    arrive(1)
    await afterRound()
    expect(slept).toEqual([])
  })

  it('end once players send less', async () => {
    becomeBusy()
    nowMs = 50
    rests.beginTick(100)
    arrive(30)
    await afterRound()
    expect(slept).toEqual([])
  })

  it('begin with a message, not with a tick', async () => {
    becomeBusy()
    await afterRound()
    expect(slept).toEqual([])
  })
})

describe('sleepInPlace', () => {
  it('holds the thread up and comes back', () => {
    const startMs = performance.now()
    sleepInPlace(5)
    expect(performance.now() - startMs).toBeGreaterThanOrEqual(4.9)
  })
})
