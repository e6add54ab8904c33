import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, expect } from '@jest/globals'
import { findFreePort } from '../../support/processes/free-port.ts'
import { itWithStrace, slowFlushes } from '../../support/processes/strace.ts'
import { ask } from '../support/api.ts'
import { createBuilder } from '../support/builder.ts'
import { startChild } from '../support/child.ts'
import { showFigures } from '../support/figures.ts'
import { createStage, quickConfig } from '../support/stage.ts'
import { watchTicks } from '../support/tick-watch.ts'
import { startWalkers } from '../support/walkers.ts'
import { buildOnAndOn } from '../support/wall.ts'

const stage = createStage()
afterAll(() => stage.close())

/**
 * LMDB flushes twice a commit. The second flush is a write with O_DSYNC, which cannot be delayed separately, so the first one has
 * both delays.
 */
const delayMs = 2 * 100
const builders = 3
const walkersMax = 10
const watchedMs = 10_000

itWithStrace(
  'keeps ticking when each flush takes 100 ms, and has all confirmed edits after kill -9',
  async () => {
    const limits = 'realtime: { messagesPerSecond: 10000, messageBurst: 20000, viewRadius: 3 }\n'
    const dataDir = await stage.createDataDir(`${quickConfig}${limits}`)
    const metricsPort = String(await findFreePort())
    const flushed = join(await stage.createEmptyDir(), 'flushed')
    const variables = { DATA_DIR: dataDir, PORT: '0', METRICS_PORT: metricsPort, LOG_LEVEL: 'info', SHUTDOWN_DELAY_MS: '0' }
    const [tracer = '', ...rest] = [...slowFlushes(delayMs, flushed), process.execPath, 'infra/launch.js', 'infra/local.ts']
    const child = stage.adopt(startChild(tracer, rest, variables))
    await child.shows('Gatehouse is ready', 150_000)
    const server = await stage.ready(child)

    const enter = async (email: string) => stage.enter(server.url, await stage.signIn(server.url, email))
    const players = await Promise.all(Array.from({ length: walkersMax }, (_, i) => enter(`walker-${i}@example.com`)))
    const crew = await Promise.all(
      Array.from({ length: builders }, async (_, i) => createBuilder(await enter(`builder-${i}@example.com`))),
    )
    for (const builder of crew) await builder.look(builder.places)
    const places = crew[0]?.places ?? []
    const share = Math.floor(places.length / builders)
    const parts = crew.map((_, i) => places.slice(i * share, (i + 1) * share))

    const walkers = await startWalkers(players)
    const walls = crew.map((builder, i) => buildOnAndOn(builder, parts[i] ?? [], 20))
    await Promise.all(walls.map((wall) => wall.untilTaken(60_000)))
    for (const wall of walls) wall.answers()
    walkers.longestSilenceMs()
    walkers.corrections()
    const countFlushes = async (): Promise<number> =>
      (await readFile(flushed, 'utf8')).split('\n').filter((line) => line.includes('DELAYED')).length
    const flushesBefore = await countFlushes()
    const report = await watchTicks(metricsPort)
    const health: number[] = []
    for (const untilMs = performance.now() + watchedMs; performance.now() < untilMs; await pause(100)) {
      const askedMs = performance.now()
      await ask(server.url, 'GET /healthz')
      health.push(performance.now() - askedMs)
    }
    // New accounts write to users.yaml too.
    await Promise.all(['late-1', 'late-2'].map((name) => stage.signIn(server.url, `${name}@example.com`)))
    const ticks = await report()
    const silenceMs = walkers.longestSilenceMs()
    const answers = walls.map((wall) => wall.answers())
    const slowestEditMs = Math.max(...walls.map((wall) => wall.slowestMs()))
    const flushes = (await countFlushes()) - flushesBefore
    showFigures(`a disk of 100 ms a flush`, {
      ticks,
      silenceMs,
      answers,
      slowestEditMs,
      flushes,
      slowestHealthzMs: Math.round(Math.max(...health)),
    })

    expect(flushes).toBeGreaterThan(10)
    // Edits arrive in each tick: if a tick waited for their flush, there would be about as many ticks as flushes.
    expect(ticks.count).toBeGreaterThan(1.5 * flushes)
    for (const counts of answers) {
      expect(Object.keys(counts)).toEqual(['ok'])
      expect(counts.ok).toBeGreaterThan(5)
    }
    expect([walkers.areConnected(), walkers.corrections()]).toEqual([true, []])

    // At a random moment of a write.
    await child.kill()
    walkers.stop()
    await Promise.all(walls.map((wall) => wall.stop()))
    const check = stage.launch('tools/world.ts', ['check', 'default'], { DATA_DIR: dataDir })
    expect(await check.ended).toBe(0)
    const again = await stage.start({ DATA_DIR: dataDir })
    const back = createBuilder(await stage.enter(again.url, await stage.signIn(again.url, 'builder-0@example.com')))
    for (const [i, part] of parts.entries()) expect(walls[i]?.mayBe(await back.look(part))).toBe(true)
  },
  180_000,
)
