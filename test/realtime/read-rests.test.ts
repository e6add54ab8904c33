import { beforeEach, describe, expect, it } from '@jest/globals'
import { createReadRests, type ReadRests, sleepInPlace } from '../../realtime/read-rests.ts'

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
  /** A tick in which many messages had arrived. */
  const becomeBusy = (): void => {
    arrive(100)
    rests.beginTick(nowMs + 50)
  }

  it('are none for a few players', async () => {
    arrive(99)
    await afterRound()
    rests.beginTick(50)
    arrive(1)
    await afterRound()
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
