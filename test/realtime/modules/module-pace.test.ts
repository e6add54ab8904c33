import { describe, expect, it } from '@jest/globals'
import { createModulePace } from '../../../realtime/modules/module-pace.ts'
import { ModulesConfig } from '../../../shared/domain/modules/modules-config.ts'
import { createParser } from '../../../shared/kernel/schema.ts'

const ticksPerSecond = 20

const parsed = createParser(ModulesConfig, 'defaults')({})
if (!parsed.ok) throw new Error('modules.yaml has no defaults')
const { budget: defaults } = parsed.value

/** A module in ticks of a clock of its own. `run` returns the changes of some seconds. A tick takes `ranMs`. */
const createRun = ({ tickMs, ...budget }: { readonly keep?: boolean; readonly tickMs?: number } = {}) => {
  const config = { ...defaults, ...budget }
  const pace = createModulePace(() => config, { isKept: budget.keep === true, tickMs })
  let tick = 0
  return {
    pace,
    run: (seconds: number, ranMs: number) => {
      const changes: string[] = []
      for (let end = tick + seconds * ticksPerSecond; tick < end; tick += 1) {
        const didRun = tick % pace.every() === 0
        const change = pace.tick({ ranMs: didRun ? ranMs : 0, longestMs: didRun ? ranMs : 0, didRun, nowMs: tick * 50 })
        if (change !== undefined) changes.push(change)
      }
      return changes
    },
  }
}

describe('a module over its time per tick', () => {
  it('runs every second tick after three seconds, then every fourth, and is off after a minute', () => {
    const { pace, run } = createRun()
    expect(run(4, 9)).toEqual(['slowed'])
    expect(pace.every()).toBe(2)
    expect(run(4, 9)).toEqual(['slower'])
    expect(pace.every()).toBe(4)
    expect(pace.reason()).toBe('it takes 9.0 ms per tick, more than 4 ms')
    expect(run(70, 9)).toContain('off')
  })

  it('is measured by its own limit if that is lower', () => {
    const { pace, run } = createRun({ tickMs: 2 })
    expect(run(4, 3)).toEqual(['slowed'])
    expect(pace.reason()).toBe('it takes 3.0 ms per tick, more than 2 ms')
  })

  it('stays slowed with keep', () => {
    expect(createRun({ keep: true }).run(120, 9)).toEqual(['slowed', 'slower'])
  })

  it('runs in every tick again after ten seconds below', () => {
    const { pace, run } = createRun()
    run(4, 9)
    expect(run(12, 1)).toEqual(['recovered'])
    expect(pace.every()).toBe(1)
  })

  it('is slowed by five spikes in a minute', () => {
    const { pace, run } = createRun()
    const changes = Array.from({ length: 6 }, () => [...run(1, 0), ...run(0.05, 30)]).flat()
    expect([...changes, ...run(3, 0)]).toContain('slowed')
    expect(pace.reason()).toBe('it took more than 25 ms at once, 5 times in a minute')
  })

  it('is not touched within its time', () => {
    expect(createRun().run(120, 3.9)).toEqual([])
  })
})
