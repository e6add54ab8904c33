import { describe, expect, it } from '@jest/globals'
import { listSettingImpacts } from '../../../../../shared/domain/configs/server/server-impact.ts'
import { settingRules } from '../../../../../shared/domain/configs/server/setting-rules.ts'
import { createFixedConfigs } from '../../../../support/configs/fixed-configs.ts'
import { createImpactFixture } from '../../../../support/configs/impact-fixture.ts'

const server = createFixedConfigs().get('server.yaml')

describe('the impact of a change of server.yaml', () => {
  it('lists for each setting the affected players and the effect', () => {
    const next = {
      ...server,
      auth: { ...server.auth, local: { ...server.auth.local, requirePassword: true } },
      http: { ...server.http, allowedOrigins: ['https://admin.example.org'] },
      realtime: { ...server.realtime, maxSessions: 10, viewRadius: 4 },
    }
    expect(listSettingImpacts(server, next)).toEqual([
      { pointer: '/auth/local/requirePassword', touches: 'nobody', note: expect.stringMatching(/tokens stay valid/) },
      { pointer: '/http/allowedOrigins/0', touches: 'newcomers', note: expect.stringMatching(/stay open/) },
      { pointer: '/realtime/maxSessions', touches: 'newcomers', note: expect.any(String) },
      { pointer: '/realtime/viewRadius', touches: 'connected', note: expect.any(String) },
    ])
  })

  it.each([
    ['every connected player', { realtime: { ...server.realtime, messageBurst: 200 } }, 1],
    ['none of them when only new players are affected', { realtime: { ...server.realtime, maxSessions: 5 } }, 0],
    ['none of them when only HTTP is affected', { http: { ...server.http, trustedProxies: 2 } }, 0],
  ])('counts %s', async (_, change, connected) => {
    const { describe, addAccount } = createImpactFixture()
    await addAccount('ann', ['player'], { connected: true })
    expect(await describe('server.yaml', { ...server, ...change })).toMatchObject({ connected })
  })

  it('describes the effect of every setting of the real-time node', () => {
    for (const key of Object.keys(server.realtime)) expect([...settingRules.keys()]).toContain(`/realtime/${key}`)
  })
})
