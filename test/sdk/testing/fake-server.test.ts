import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { createCall, openZoneFeed, readZoneBlocks, type ZoneFeed } from '../../../sdk/admin.ts'
import { connect, type Session, type SignIn, signIn } from '../../../sdk/client.ts'
import { createFakeServer, type FakeServer } from '../../../sdk/testing.ts'

describe('the fake server of the client library', () => {
  let server: FakeServer
  let me: SignIn
  let session: Session
  let feed: ZoneFeed | undefined
  beforeEach(async () => {
    server = createFakeServer()
    const { url, fetch, WebSocket } = server
    me = await signIn({ url, fetch, email: 'ann@example.com' })
    session = await connect(me, { WebSocket })
  })
  afterEach(async () => {
    feed?.close()
    await session.close()
    me.close()
  })
  const addZone = async () => {
    const body = { name: 'Town', yMin: 60, yMax: 70, chunks: [{ cx: 0, cz: 0 }] }
    return (await createCall(me)('POST /api/admin/instances', { body })).body
  }

  it('lists players, and sends them messages and teleports of an admin', async () => {
    const call = createCall(me)
    const { playerId } = session.welcome()
    const { body } = await call('GET /api/admin/players')
    expect(body.players).toMatchObject([{ playerId, displayName: 'ann', world: 'fake' }])
    const notices = session.events('notice')
    await call('POST /api/admin/players/{playerId}/message', { params: { playerId }, body: { text: 'hello' } })
    expect((await notices.next()).value).toMatchObject({ text: 'hello' })
    const corrections = session.events('correction')
    await call('POST /api/admin/players/{playerId}/teleport', { params: { playerId }, body: { x: 4.5, y: 64, z: 4.5 } })
    expect((await corrections.next()).value).toMatchObject({ reason: 'teleport', position: { x: 4.5 } })
    await expect(
      call('POST /api/admin/players/{playerId}/kick', { params: { playerId: 'nobody' }, body: {} }),
    ).rejects.toMatchObject({ problem: { status: 404 } })
  })

  it('creates, changes and deletes zones', async () => {
    const call = createCall(me)
    const { id } = await addZone()
    await call('PUT /api/admin/instances/{id}', { params: { id }, body: { name: 'Harbour' } })
    const { body } = await call('PUT /api/admin/instances/{id}/enabled', { params: { id }, body: { enabled: false } })
    expect(body).toMatchObject({ id, name: 'Harbour', enabled: false, owner: session.welcome().playerId })
    expect((await call('GET /api/admin/instances')).body).toEqual([body])
    await call('DELETE /api/admin/instances/{id}', { params: { id } })
    await expect(call('GET /api/admin/instances/{id}', { params: { id } })).rejects.toMatchObject({ problem: { status: 404 } })
  })

  it('sends players and blocks through the feed of a zone, and accepts edits', async () => {
    const { id } = await addZone()
    feed = await openZoneFeed(me, id, { WebSocket: server.WebSocket })
    const [blocks, moves] = [feed.events('blocks'), feed.events('playerMoved')]
    const by = session.welcome().playerId
    await session.edit([
      { x: 2, y: 63, z: 2, type: 'planks' },
      { x: 99, y: 63, z: 2, type: 'air' },
    ])
    expect((await blocks.next()).value).toMatchObject({ edits: [{ x: 2, y: 63, z: 2, type: 'planks', was: 'stone' }], by })
    expect(await feed.edit([{ x: 2, y: 63, z: 2, type: 'air' }])).toMatchObject({ ok: true, applied: 1, rejected: [] })
    expect((await blocks.next()).value).toMatchObject({ edits: [{ type: 'air', was: 'planks' }] })
    expect(
      await feed.edit([
        { x: 99, y: 63, z: 2, type: 'air' },
        { x: 1, y: 63, z: 2, type: 'cheese' },
      ]),
    ).toMatchObject({
      ok: false,
      rejected: [{ reason: 'outside-zone' }, { reason: 'unknown-block' }],
    })
    session.move({ x: 3.5, y: 64, z: 3.5, yaw: 0, pitch: 0 })
    expect((await moves.next()).value).toMatchObject({ playerId: by, position: { x: 3.5 } })
    const lines = []
    for await (const line of readZoneBlocks(me, id)) lines.push(line)
    expect(lines).toHaveLength(4 * 256 - 1)
  })

  it('sends the missed messages of a zone to a feed that reconnects', async () => {
    const { id } = await addZone()
    feed = await openZoneFeed(me, id, { WebSocket: server.WebSocket })
    const blocks = feed.events('blocks')
    feed.drop()
    await session.edit([{ x: 2, y: 63, z: 2, type: 'air' }])
    expect((await blocks.next()).value).toMatchObject({ edits: [{ x: 2, type: 'air' }] })
  })

  it('ends the feed of a deleted zone, and refuses one of an unknown zone', async () => {
    const { id } = await addZone()
    const opened = await openZoneFeed(me, id, { WebSocket: server.WebSocket })
    const deleted = opened.events('deleted')
    await createCall(me)('DELETE /api/admin/instances/{id}', { params: { id } })
    expect((await deleted.next()).value).toMatchObject({ type: 'deleted' })
    await expect(openZoneFeed(me, id, { WebSocket: server.WebSocket })).rejects.toMatchObject({ problem: { status: 404 } })
  })

  it('answers any other route as the test says, and explains one without an answer', async () => {
    const call = createCall(me)
    await expect(call('GET /api/admin/configs')).rejects.toThrow('server.serve')
    server.serve('GET /api/admin/configs', () => ['groups.yaml'])
    expect((await call('GET /api/admin/configs')).body).toEqual(['groups.yaml'])
    server.serve('GET /api/admin/configs/{name}', ({ params: { name }, account }) => `# ${name} of ${account.displayName}`)
    const { body } = await call('GET /api/admin/configs/{name}', { params: { name: 'skills/spells.yaml' } })
    expect(body).toBe('# skills/spells.yaml of ann')
    server.serve('GET /api/admin/configs', () => ({ problem: { status: 403, slug: 'missing-permission', title: 'No.' } }))
    await expect(call('GET /api/admin/configs')).rejects.toMatchObject({ problem: { status: 403 } })
  })
})
