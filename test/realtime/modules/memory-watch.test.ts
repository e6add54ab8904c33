import { describe, expect, it } from '@jest/globals'
import { createMemoryWatch } from '../../../realtime/modules/memory-watch.ts'

const mb = 1024 * 1024

/** A process with 1,000 MB, and handlers that allocate. */
const openProcess = (startMb: number) => {
  let usedBytes = startMb * mb
  let reads = 0
  let nowMs = 0
  const watch = createMemoryWatch(() => {
    reads += 1
    return { usedBytes, limitBytes: 1000 * mb }
  })
  const call = (module: string, allocatedMb: number): void => {
    watch.enter()
    usedBytes += allocatedMb * mb
    watch.leave(module)
  }
  return {
    call,
    grow: (grownMb: number) => {
      usedBytes += grownMb * mb
    },
    /** Seconds, with calls in each. */
    run: (seconds: number, inSecond: () => void = () => undefined) => {
      const notices = []
      for (let second = 0; second < seconds; second += 1) {
        inSecond()
        nowMs += 1000
        notices.push(watch.step(nowMs) ?? [])
      }
      return notices.flat()
    },
    countReads: () => reads,
  }
}

describe('the memory of a process with modules', () => {
  it('that becomes scarce is reported once a minute, with the module that allocates the most', () => {
    const { run, call } = openProcess(400)
    const notices = run(60, () => {
      call('leaky', 10)
      call('sound', 0.1)
    })
    expect(notices).toHaveLength(1)
    expect(notices[0]?.module).toBe('leaky')
    expect(notices[0]?.text).toMatch(/uses 7\d\d MB of 1,000 MB.*module leaky allocates the most: 2\d\d MB/)
    expect(run(60)).toHaveLength(1)
  })

  it('that something else fills is reported without a module', () => {
    const { run, call, grow } = openProcess(400)
    const notices = run(60, () => {
      call('sound', 0.1)
      grow(10)
    })
    expect(notices).toMatchObject([
      { module: undefined, text: expect.stringContaining('No handler of a module allocates much.') },
    ])
  })

  it('is not reported for garbage that is collected', () => {
    const { run, call, grow } = openProcess(400)
    expect(
      run(60, () => {
        call('busy', 450)
        grow(-450)
      }),
    ).toEqual([])
  })

  it('is not measured for each call while half of it is free', () => {
    const { run, call, countReads } = openProcess(100)
    run(10, () => {
      for (let n = 0; n < 100; n += 1) call('sound', 0)
    })
    expect(countReads()).toBe(10)
  })
})
