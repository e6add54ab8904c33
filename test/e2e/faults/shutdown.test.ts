import { afterAll, describe, expect, it } from '@jest/globals'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { createBuilder } from '../support/builder.ts'
import { startChild } from '../support/child.ts'
import { administrator, createStage, quickConfig } from '../support/stage.ts'

const stage = createStage()
afterAll(() => stage.close())

/** A hash of this cost takes long enough to send a signal during it. */
const slowHashes = 'auth: { local: { bcryptCost: 13 } }\n'

const isGone = (url: string): Promise<boolean> =>
  ask(url, 'GET /healthz').then(
    () => false,
    () => true,
  )

describe('SIGTERM', () => {
  it('ends readiness, sends players a delay, completes the pending sign-in and exits with 0', async () => {
    const server = await stage.start({ DATA_DIR: await stage.createDataDir(slowHashes), SHUTDOWN_DELAY_MS: '3000' })
    await stage.claim(server)
    const ann = await stage.join(server.url, await stage.signIn(server.url, 'ann@example.com'))

    const signingIn = ask(server.url, 'POST /auth/login', { body: administrator })
    // The first request has arrived, because a later one on another connection is answered.
    await ask(server.url, 'GET /healthz')
    server.signal('SIGTERM')
    let readiness = await ask(server.url, 'GET /readyz')
    while (readiness.status === 200) readiness = await ask(server.url, 'GET /readyz')
    expect(readiness).toMatchObject({ status: 503, body: { detail: 'Not ready: process.' } })

    expect(await ann.next('kick')).toMatchObject({ code: 'going-away', retryAfterSeconds: expect.any(Number) })
    expect(await ann.closed()).toMatchObject({ code: 1001 })
    expect(await signingIn).toMatchObject({ status: 200, body: { token: expect.any(String) } })
    // The client keeps its connections open for 65 s, which must not delay the exit: the test would time out.
    expect(await server.ended).toBe(0)
    expect(server.stderr()).toBe('')
  })

  it('during edits keeps confirmed edits and positions, and releases the world at once', async () => {
    const dataDir = await stage.createDataDir(
      `${quickConfig}realtime: { messagesPerSecond: 10000, messageBurst: 20000, viewRadius: 2 }\n`,
    )
    const enter = async (url: string) => createBuilder(await stage.enter(url, await stage.signIn(url, 'builder@example.com')))
    const server = await stage.start({ DATA_DIR: dataDir })
    const { session, isOpen, places, edit, look } = await enter(server.url)
    await look(places)
    const { x, z } = session.position()
    session.move({ x: x + 1.5, z: z + 0.25 })

    let [answered, asked] = ['air', 'air']
    for (let turn = 0; isOpen(); turn += 1) {
      asked = turn % 2 === 0 ? 'planks' : 'glass'
      const type = asked
      const answer = await edit(places.map((place) => ({ ...place, type })))
      if (answer === undefined) break
      expect(answer).toEqual({ ok: true, reason: '' })
      answered = asked
      if (turn === 5) server.signal('SIGTERM')
    }
    expect(await server.ended).toBe(0)
    expect(server.stdout()).not.toMatch(/"level":[456]0/)

    const again = await stage.start({ DATA_DIR: dataDir })
    // The lease was released properly.
    expect(again.stdout()).not.toContain('without releasing it')
    const back = await enter(again.url)
    expect(back.session.welcome().position).toMatchObject({ x: x + 1.5, z: z + 0.25 })
    const found = new Set(await back.look(places))
    // All or nothing, and nothing older than the confirmed edits.
    expect(found.size).toBe(1)
    expect([answered, asked]).toEqual(expect.arrayContaining([...found]))
  })

  it('sent twice ends the process at once', async () => {
    const server = await stage.start({ DATA_DIR: await stage.createDataDir(), SHUTDOWN_DELAY_MS: '60000' })
    server.signal('SIGTERM')
    await server.shows('"stopping"')
    await waitFor(() => {
      server.signal('SIGTERM')
      return !server.isRunning()
    })
    expect(await server.ended).toBe(1)
  })

  it('twice in one moment, as Ctrl-C does under npm, is one signal', async () => {
    const server = await stage.start({ DATA_DIR: await stage.createDataDir(), SHUTDOWN_DELAY_MS: '0' })
    server.signal('SIGINT')
    server.signal('SIGINT')
    expect(await server.ended).toBe(0)
    expect(server.stdout()).toContain('"stopped"')
  })

  it('sent to npm start stops the server too', async () => {
    const dataDir = await stage.createDataDir()
    const npm = stage.adopt(startChild('npm', ['run', '-s', 'start'], { DATA_DIR: dataDir, PORT: '0', SHUTDOWN_DELAY_MS: '0' }))
    const { url } = await stage.ready(npm)
    expect((await ask(url, 'GET /healthz')).status).toBe(200)
    npm.signal('SIGTERM')
    await waitFor(() => isGone(url))
    await npm.ended
    expect(npm.stdout()).toContain('"stopped"')
  })
})
