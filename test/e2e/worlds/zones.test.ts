import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Session } from '../../../sdk/connection/connect.ts'
import type { Correction, ZoneChanged } from '../../../sdk/protocol/generated/gatehouse.ts'
import { watchWorld } from '../../../sdk/world/watch-world.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { administrator, createStage, type Server } from '../support/stage.ts'

const stage = createStage()

/** Faster than the polling for lost events. */
const byEventMs = 1500

describeOwnRedis('zones of an HTTP process in the game of a real-time process', () => {
  let redis: RedisServer
  let http: Server
  let boss: string
  let session: Session
  const changed: ZoneChanged[] = []
  let zone: { id: string; name: string }
  let seq = 0

  const zones = (request: string, body?: object) =>
    ask(http.url, request.replace(' ', ' /api/admin/instances'), { token: boss, ...(body && { body }) })
  const enable = (enabled: boolean) => zones(`PUT /${zone.id}/enabled`, { enabled })

  /** The reason why a block at (8, 66, 10) cannot be placed or broken; empty if it can. */
  const edit = async (): Promise<string> => {
    seq += 1
    const type = seq % 2 === 0 ? 'air' : 'stone'
    return (await session.edit([{ x: 8, y: 66, z: 10, type }])).reason
  }
  const changes = () => changed
  const refusal = 'missing-permission: zone.build in zone "Town"'

  beforeAll(async () => {
    redis = await startRedis()
    const pair = await stage.startPair(await stage.createDataDir(), redis.url)
    http = pair.http
    boss = await stage.claim(http)
    session = (await stage.enter(http.url, await stage.signIn(http.url, 'player@example.com'))).session
    session.on('zoneChanged', (change) => changed.push(change))
    const chunks = [{ cx: 0, cz: 0 }]
    await waitFor(async () => {
      const created = await zones('POST ', { name: 'Town', yMin: 60, yMax: 80, chunks })
      if (created.status !== 201) return false
      zone = { id: String(created.body.id), name: 'Town' }
      return true
    })
  })
  afterAll(async () => {
    await stage.close()
    await redis?.stop()
  })

  it('protect their blocks and are announced on every change over HTTP', async () => {
    const entered = { entered: zone }
    const left = { left: { id: zone.id } }
    const tells = async (...expected: readonly object[]) => {
      await waitFor(() => changes().length >= expected.length, byEventMs)
      expect(changes()).toEqual(expected)
    }
    await tells(entered)
    expect(await edit()).toBe(refusal)
    await enable(false)
    await tells(entered, left)
    expect(await edit()).toBe('')
    await enable(true)
    await tells(entered, left, entered)
    expect(await edit()).toBe(refusal)
    await zones(`PUT /${zone.id}`, { name: 'City' })
    const renamed = { entered: { id: zone.id, name: 'City' } }
    await tells(entered, left, entered, renamed)
    await zones(`PUT /${zone.id}/bounds`, { yMin: 70, yMax: 80 })
    await tells(entered, left, entered, renamed, left)
    await zones(`PUT /${zone.id}/bounds`, { yMin: 60, yMax: 80 })
    await tells(entered, left, entered, renamed, left, renamed)
    await zones(`PUT /${zone.id}`, { name: 'Town' })
    await tells(entered, left, entered, renamed, left, renamed, entered)
  })

  it('for members only stop others at their edge, and tell them so', async () => {
    const { session: visitor } = await stage.enter(http.url, await stage.signIn(http.url, 'visitor@example.com'))
    const world = watchWorld(visitor)
    const corrections: Correction[] = []
    visitor.on('correction', (correction) => corrections.push(correction))
    const created = await zones('POST ', { name: 'Club', yMin: 0, yMax: 255, chunks: [{ cx: 0, cz: -1 }] })
    const id = String(created.body.id)
    expect((await zones(`PUT /${id}/rules`, { build: 'members', enter: 'members' })).status).toBe(200)
    await waitFor(async () => {
      world.moveTo({ x: 0.5, z: -0.5 })
      await visitor.ping()
      if (world.moveTo({ x: 0.5, z: -0.5 }) === 'zone-closed') return true
      world.moveTo({ x: 0.5, z: 0.5 })
      await visitor.ping()
      return false
    })
    const closed = { zoneId: id, zoneName: 'Club', cx: 0, cz: -1, yMin: 0, yMax: 255 }
    expect(corrections.at(-1)).toMatchObject({ reason: 'zone-closed', closed })
    expect((await zones(`DELETE /${id}`)).status).toBe(204)
  })

  it('are switched by a command, visible over HTTP and in the audit log', async () => {
    const { session: chief } = await stage.enter(
      http.url,
      await stage.signIn(http.url, administrator.email, administrator.password),
    )
    expect(await chief.command('/zone:disable town')).toMatchObject({
      ok: true,
      text: 'Zone "Town" of world default is disabled.',
    })
    expect((await zones(`GET /${zone.id}`)).body).toMatchObject({ enabled: false })
    const { body } = await ask(http.url, `GET /api/admin/audit?limit=1`, { token: boss })
    expect(body).toMatchObject({ entries: [{ via: 'command', actor: administrator.email }] })
    expect(await chief.command('/zone:enable town')).toMatchObject({ ok: true })
    expect(await edit()).toBe(refusal)
    expect((await zones(`DELETE /${zone.id}`)).status).toBe(204)
    await waitFor(() => changes().at(-1)?.entered === undefined, byEventMs)
    expect(await edit()).toBe('')
  })
})
