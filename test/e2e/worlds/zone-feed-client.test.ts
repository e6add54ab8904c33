import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { WebSocket } from 'ws'
import { createCall } from '../../../sdk/admin/call.ts'
import { openZoneFeed, type ZoneFeed } from '../../../sdk/admin/feeds/zone-feed.ts'
import { connect } from '../../../sdk/connection/connect.ts'
import { type SignIn, signIn } from '../../../sdk/sign-in/sign-in.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { administrator, createStage, type Server } from '../support/stage.ts'

const stage = createStage()
const opened: { close(): void }[] = []
let server: Server
let variables: Record<string, string>
let boss: SignIn

const sign = async (email: string, password = ''): Promise<SignIn> => {
  const who = await signIn({ url: server.url, email, password })
  opened.push(who)
  return who
}
const open = async (id: string, as = boss): Promise<ZoneFeed> => {
  const feed = await openZoneFeed(as, id, { WebSocket })
  opened.push(feed)
  return feed
}
const reach = (feed: ZoneFeed, name: ReturnType<ZoneFeed['state']>['name']) => waitFor(() => feed.state().name === name)

/** Zones may not overlap: each has a column of its own. */
let columns: { cx: number; cz: number }[] = []
const createZone = async (name: string): Promise<{ id: string; x: number; z: number }> => {
  const [column = { cx: 0, cz: 0 }] = columns.splice(0, 1)
  const { body } = await createCall(boss)('POST /api/admin/instances', { body: { name, yMin: 0, yMax: 255, chunks: [column] } })
  return { id: body.id, x: column.cx * 16, z: column.cz * 16 }
}

beforeAll(async () => {
  variables = { DATA_DIR: await stage.createDataDir(), PORT: String(await findFreePort()) }
  server = await stage.start(variables)
  await stage.claim(server)
  boss = await sign(administrator.email, administrator.password)
  const guide = await sign('guide@example.com')
  const session = await connect(guide, { WebSocket })
  session.on('chunk', ({ cx, cz }) => columns.push({ cx, cz }))
  await waitFor(() => columns.length >= 12)
  await session.close()
  // Its columns exist once a player sees them, and are stored a moment later.
  const [first = { cx: 0, cz: 0 }] = columns
  const probe = { name: 'Probe', yMin: 0, yMax: 9, chunks: [first] }
  await waitFor(() =>
    createCall(boss)('POST /api/admin/instances', { body: probe }).then(
      async ({ body }) => {
        await createCall(boss)('DELETE /api/admin/instances/{id}', { params: { id: body.id } })
        return true
      },
      () => false,
    ),
  )
  columns = columns.slice(0, 12)
}, 180_000)
afterAll(async () => {
  for (const one of opened) one.close()
  await stage.close()
})

describe('the feed of a zone by the client library, against a running server', () => {
  it('shows the edit of one editor to another', async () => {
    const { id, x, z } = await createZone('Town')
    const [one, other] = [await open(id), await open(id)]
    expect(one.zone()).toMatchObject({ id, name: 'Town' })
    const changes = other.events('blocks')
    expect(await one.edit([{ x, y: 70, z, type: 'stone' }])).toMatchObject({ ok: true, applied: 1, rejected: [] })
    expect((await changes.next()).value).toMatchObject({ edits: [{ x, y: 70, z, type: 'stone' }] })
    const refused = await one.edit([{ x: x - 1, y: 70, z, type: 'stone' }])
    expect(refused).toMatchObject({ ok: false, rejected: [{ index: 0, reason: 'outside-zone' }] })
    expect(await one.edit([{ x, y: 70, z, type: 'cheese' }], { partial: true })).toMatchObject({ applied: 0 })
  })

  it('misses no event of the time when its socket was cut', async () => {
    const { id, x, z } = await createZone('Cut')
    const [one, other] = [await open(id), await open(id)]
    const seen: string[] = []
    one.on('blocks', ({ edits }) => seen.push(...edits.map(({ type }) => type)))
    await other.edit([{ x, y: 70, z, type: 'stone' }])
    await waitFor(() => seen.length === 1)
    one.drop()
    expect(one.state().name).toBe('waiting')
    await other.edit([{ x, y: 70, z, type: 'planks' }])
    await other.edit([{ x, y: 70, z, type: 'air' }])
    await waitFor(() => seen.length === 3)
    expect(seen).toEqual(['stone', 'planks', 'air'])
  })

  it('continues after the server was killed and restarted, and gets a reset of the blocks', async () => {
    const { id, x, z } = await createZone('Killed')
    const feed = await open(id)
    const resets: unknown[] = []
    feed.on('zone', ({ reset }) => resets.push(reset))
    await server.kill()
    await waitFor(() => feed.state().name !== 'live')
    server = await stage.start(variables)
    await waitFor(() => feed.state().name === 'live')
    await waitFor(() => resets.includes(true))
    expect(await feed.edit([{ x, y: 71, z, type: 'stone' }])).toMatchObject({ ok: true })
  }, 180_000)

  it('sends a renewed token by itself', async () => {
    const { id } = await createZone('Renewed')
    const editor = await sign(administrator.email, administrator.password)
    const feed = await open(id, editor)
    const answers = feed.events('renewed')
    await editor.renew()
    const { value } = await answers.next()
    expect(Date.parse(value.expiresAt)).toBeGreaterThan(Date.now())
    expect(feed.state().name).toBe('live')
  })

  it('ends when the sign-in ends, and when the zone is deleted', async () => {
    const { id } = await createZone('Over')
    const editor = await sign(administrator.email, administrator.password)
    const [revoked, deleted] = [await open(id, editor), await open(id)]
    const last = deleted.events('deleted')
    await editor.signOut()
    await reach(revoked, 'ended')
    expect(revoked.state()).toMatchObject({ reason: 'sign-in-ended' })
    await createCall(boss)('DELETE /api/admin/instances/{id}', { params: { id } })
    expect((await last.next()).value).toMatchObject({ type: 'deleted' })
    expect(deleted.state()).toMatchObject({ name: 'ended', reason: 'zone-deleted' })
  })

  it.each([
    ['an unknown zone', () => boss, 'not-found'],
    ['an account without the permission', () => sign('nobody@example.com'), 'missing-permission'],
  ])('refuses %s by name', async (_, as, slug) => {
    const { id } = await createZone(slug)
    const wanted = slug === 'not-found' ? `${id.slice(0, -4)}0000` : id
    await expect(open(wanted, await as())).rejects.toMatchObject({ name: 'ProblemError', type: `/problems/${slug}` })
  })
})
