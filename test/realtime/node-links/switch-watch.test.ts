import { beforeEach, describe, expect, it } from '@jest/globals'
import { createSwitchWatch, type SwitchWatch } from '../../../realtime/node-links/switch-watch.ts'
import { changeDisabledCommands } from '../../../shared/domain/players/disabled-commands.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import { createMemoryStore } from '../../../shared/platform/storage/memory-store.ts'
import type { Store } from '../../../shared/platform/storage/store.ts'
import { createCapturedLog } from '../../support/time/silent-log.ts'

describe('switches by other players whose event was lost', () => {
  let store: Store
  let watch: SwitchWatch
  let isAway: boolean
  let captured: ReturnType<typeof createCapturedLog>
  let read: string[]
  let unreadable: string | undefined
  const here = {
    readCommands: async (playerId: string) => {
      read.push(playerId)
      return playerId !== unreadable
    },
  }
  const switchOff = (playerId: string, by: 'disabledByOthers' | 'disabledBySelf', name = 'who') =>
    changeDisabledCommands(store, playerId, (current) => ({ next: { ...current, [by]: [name] }, result: undefined }))

  beforeEach(() => {
    store = createMemoryStore()
    captured = createCapturedLog()
    isAway = false
    unreadable = undefined
    read = []
    const get: Store['get'] = async (collection, id) => {
      if (isAway) throw new AppError('unavailable', 'service-unavailable', 'The record store does not answer.')
      return store.get(collection, id)
    }
    watch = createSwitchWatch({ store: { get }, log: captured.log })
  })

  it('are read again, once, unlike a player’s own switches', async () => {
    await watch.check(here)
    await switchOff('ann', 'disabledByOthers')
    await switchOff('ben', 'disabledBySelf')
    await watch.check(here)
    await watch.check(here)
    expect(read).toEqual(['ann'])
    await switchOff('ben', 'disabledByOthers')
    await watch.check(here)
    expect(read).toEqual(['ann', 'ann', 'ben'])
  })

  it('are queued for the last hundred players, each once, however many are switched at once', async () => {
    for (let at = 0; at < 110; at += 1) await switchOff(`p${at}`, 'disabledByOthers')
    await switchOff('p50', 'disabledByOthers', 'say')
    await Promise.all(Array.from({ length: 10 }, (_, at) => switchOff(`q${at}`, 'disabledByOthers')))
    await watch.check(here)
    expect(read).toHaveLength(100)
    expect(new Set(read).size).toBe(100)
    expect(read[89]).toBe('p50')
    expect(read.slice(90).sort()).toEqual(Array.from({ length: 10 }, (_, at) => `q${at}`))
  })

  it('are read when the store is back, with one log line for the whole outage', async () => {
    await switchOff('ann', 'disabledByOthers')
    isAway = true
    for (let at = 0; at < 3; at += 1) await watch.check(here)
    expect(captured.lines).toHaveLength(1)
    isAway = false
    await watch.check(here)
    expect(read).toEqual(['ann'])
  })

  it('are read once more when a read failed for a player', async () => {
    await switchOff('ann', 'disabledByOthers')
    unreadable = 'ann'
    await watch.check(here)
    unreadable = undefined
    await watch.check(here)
    await watch.check(here)
    expect(read).toEqual(['ann', 'ann'])
  })
})
