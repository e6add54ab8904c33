import { describe, expect, it } from '@jest/globals'
import { followReloads } from '../../../realtime/node/follow-reloads.ts'
import type { BlocksConfig } from '../../../shared/domain/worlds/blocks-config.ts'
import { createFixedConfigs } from '../../support/configs/fixed-configs.ts'

const block = (id: string): BlocksConfig => ({ blocks: [{ id, name: id, colour: '#000000', solid: true }] })

describe('followReloads', () => {
  it('passes on the current configs at the start, then each reload until it ends', () => {
    const configs = createFixedConfigs({ blocks: block('stone') })
    const seen: string[] = []
    const end = followReloads({
      configs,
      loop: { refreshConfigs: ({ blocks }) => void seen.push(blocks[0]?.id ?? '') },
      server: { settingsChanged: () => void seen.push('settings') },
    })
    configs.set({ blocks: block('sand') })
    end()
    configs.set({ blocks: block('clay') })
    expect(seen).toEqual(['stone', 'settings', 'sand', 'settings'])
  })
})
