import { describe, expect, it } from '@jest/globals'
import type { Game } from '../../../realtime/game/game.ts'
import { createLiveConfigs } from '../../../realtime/game/live-configs.ts'
import type { Session } from '../../../realtime/sessions/session.ts'
import { createBlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'

describe('new configs in the game', () => {
  it('adjust the views of a hundred sessions a tick, so that no tick takes too long', () => {
    const sessions = Array.from({ length: 250 }, () => ({ wishedRadius: 8, viewRadius: 8 }))
    const game = {
      world: { registry: createBlockRegistry([]) },
      viewRadiusMax: () => 4,
      sessions: { all: () => sessions as Session[] },
    } as unknown as Game
    const { refresh, step } = createLiveConfigs(game)
    refresh({ blocks: [] })
    const countFitted = () => {
      step()
      return sessions.filter(({ viewRadius }) => viewRadius === 4).length
    }
    expect([countFitted(), countFitted(), countFitted()]).toEqual([100, 200, 250])
  })
})
