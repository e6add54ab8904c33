import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { createConfigApi } from '../support/config-api.ts'
import { showFigures } from '../support/figures.ts'
import type { PlayerLink } from '../support/player-link.ts'
import { administrator, createStage, type Server } from '../support/stage.ts'
import { withoutEvents } from '../support/without-events.ts'

const stage = createStage()

/** The promised limit. */

describeOwnRedis('with every event lost', () => {
  let redis: RedisServer
  let http: Server
  let home: Server
  let arena: Server
  let boss: string

  beforeAll(async () => {
    redis = await startRedis()
    const common = { DATA_DIR: await stage.createDataDir(), REDIS_URL: redis.url }
    const startNode = (world: string) => stage.start({ ...common, GAME_WORLD_NAME: world }, 'realtime/main.ts')
    http = await stage.start(common, 'infra/http.ts')
    home = await startNode('default')
    arena = await startNode('arena')
    boss = await stage.claim(http)
  }, 180_000)
  afterAll(async () => {
    await stage.close()
    await redis?.stop()
  })

  const enter = async (node: Server, name: string) => {
    const token = await stage.signIn(http.url, `${name}@example.com`)
    return { token, client: await stage.join(node.url, token) }
  }
  const ok = async (answer: ReturnType<typeof ask>, status = 200): Promise<void> => {
    const { status: found, text } = await answer
    if (found !== status) throw new Error(`answered ${found} ${text}`)
  }
  /** The milliseconds from now until `holds` is true. */
  const since = async (holds: () => boolean): Promise<number> => {
    const sinceMs = performance.now()
    await waitFor(holds)
    return Math.round(performance.now() - sinceMs)
  }
  const closedWith = async (client: PlayerLink, code: number): Promise<number> => {
    const ms = await since(() => !client.isOpen())
    expect(await client.closed()).toMatchObject({ code })
    return ms
  }

  it('notices logouts, permissions, switches, configs, zones and displacements by polling', async () => {
    const [left, promoted, told, placed, twice] = await Promise.all(
      ['left', 'promoted', 'told', 'placed', 'twice'].map((name) => enter(home, name)),
    )
    if (!left || !promoted || !told || !placed || !twice) throw new Error('five players were to come in')
    const elsewhere = await enter(arena, 'elsewhere')

    const figures = await withoutEvents(redis.url, async () => {
      const logout = async () => {
        await ok(ask(http.url, 'POST /auth/logout', { token: left.token }), 204)
        return closedWith(left.client, 4003)
      }
      const permissions = async () => {
        const change = { token: boss, body: { groups: ['player', 'moderator'] } }
        await ok(ask(http.url, 'PUT /api/admin/users/promoted@example.com', change))
        return since(() => promoted.client.all('permissionsChanged').some(({ groups }) => groups.length === 2))
      }
      const switched = async () => {
        const chief = await stage.join(arena.url, boss)
        chief.command('/command:disable who placed@example.com')
        expect(await chief.next('commandResult')).toMatchObject({ ok: true })
        return since(() => placed.client.count('permissionsChanged') > 0)
      }
      const configs = async () => {
        const api = createConfigApi(http.url, boss)
        const { text, etag } = await api.read('groups.yaml')
        await ok(api.save('groups.yaml', text.replace('      - command.world\n', ''), etag))
        await ok(api.reload())
        return since(() => [told, elsewhere].every(({ client }) => client.count('permissionsChanged') > 0))
      }
      const zones = async () => {
        const zone = { name: 'Town', yMin: 60, yMax: 80, chunks: [{ cx: 0, cz: 0 }], world: 'default' }
        await ok(ask(http.url, 'POST /api/admin/instances', { token: boss, body: zone }), 201)
        return since(() => placed.client.count('zoneChanged') > 0)
      }
      const displaced = async () => {
        const sinceMs = performance.now()
        // A node that is late with its lease on a busy machine counts as the newest. Then the player returns.
        for (;;) {
          const again = await stage.join(arena.url, twice.token)
          await waitFor(() => !twice.client.isOpen() || !again.isOpen())
          if (twice.client.isOpen()) continue
          expect(again.isOpen()).toBe(true)
          break
        }
        expect(await twice.client.closed()).toMatchObject({ code: 4001 })
        return Math.round(performance.now() - sinceMs)
      }
      const [logoutMs, permissionsMs, switchedMs, zonesMs, displacedMs] = await Promise.all([
        ...[logout(), permissions(), switched(), zones(), displaced()],
      ])
      return { logoutMs, permissionsMs, switchedMs, zonesMs, displacedMs, configsMs: await configs() }
    })
    showFigures('every event lost', figures)
    expect([told, placed, elsewhere].every(({ client }) => client.isOpen())).toBe(true)
  }, 180_000)

  it('returns to normal once events arrive again', async () => {
    const { token, client } = await enter(home, 'back')
    await ok(ask(http.url, 'POST /auth/logout', { token }), 204)
    await closedWith(client, 4003)
    expect(await stage.signIn(http.url, administrator.email, administrator.password)).toEqual(expect.any(String))
  })
})
