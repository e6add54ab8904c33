import { execFileSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, expect } from '@jest/globals'
import { itWithPrlimit } from '../../support/processes/prlimit.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { createBuilder } from '../support/builder.ts'
import { startChild } from '../support/child.ts'
import { createStage, quickConfig } from '../support/stage.ts'

const stage = createStage()
afterAll(() => stage.close())

/** A limit for the size of files: the first pages of LMDB, and nothing more. */
const hardlyAnything = 8192

const setFileLimit = (pid: string, soft: string): void => {
  execFileSync('prlimit', ['--pid', pid, `--fsize=${soft}:unlimited`])
}

itWithPrlimit('refuses edits on a full disk, keeps the players, and recovers without partial writes', async () => {
  const dataDir = await stage.createDataDir(
    `${quickConfig}realtime: { messagesPerSecond: 10000, messageBurst: 20000, viewRadius: 2 }\n`,
  )
  const pidFile = join(await stage.createEmptyDir(), 'pid')
  const variables = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'info', SHUTDOWN_DELAY_MS: '0', PID_FILE: pidFile }
  const command = [process.execPath, 'infra/launch.js', 'infra/local.ts']
  const server = await stage.ready(
    stage.adopt(startChild('sh', ['-c', 'echo $$ > "$PID_FILE"; exec "$@"', 'sh', ...command], variables)),
  )
  const pid = (await readFile(pidFile, 'utf8')).trim()
  const enter = async (email: string) => createBuilder(await stage.enter(server.url, await stage.signIn(server.url, email)))
  const [builder, witness] = [await enter('builder@example.com'), await enter('witness@example.com')]
  const [wall, other] = [builder.places.slice(0, 50), builder.places.slice(50)]
  const before = await builder.look(builder.places)
  await witness.look(builder.places)
  const build = async (places: typeof wall, type: string) => {
    const answer = await builder.edit(places.map((place) => ({ ...place, type })))
    // Happened once, in a run of all suites, without an explanation.
    if (answer === undefined) throw new Error(`${JSON.stringify(builder.session.state())}\n${server.stdout()}${server.stderr()}`)
    return answer
  }
  expect(await build(wall, 'planks')).toEqual({ ok: true, reason: '' })

  setFileLimit(pid, String(hardlyAnything))
  expect(await build(wall, 'glass')).toEqual({ ok: false, reason: 'storage-full' })
  expect(await build(other, 'glass')).toEqual({ ok: false, reason: 'storage-full' })
  // Visible for a moment, and then undone for every client.
  const seen = async () => JSON.stringify(await witness.look(builder.places))
  const expected = JSON.stringify(before.map((id, i) => (i < 50 ? 'planks' : id)))
  await waitFor(async () => (await seen()) === expected)
  const heard = witness.session.events('chat')
  await builder.session.chat('the disk is full')
  expect((await heard.next()).value).toMatchObject({ text: 'the disk is full' })
  expect([builder, witness].every(({ isOpen }) => isOpen())).toBe(true)

  setFileLimit(pid, 'unlimited')
  await waitFor(async () => (await build(other, 'stone')).ok === true)
  server.signal('SIGKILL')
  await server.ended
  const check = stage.launch('tools/world.ts', ['check', 'default'], { DATA_DIR: dataDir })
  expect(await check.ended).toBe(0)

  const again = await stage.start({ DATA_DIR: dataDir })
  const back = createBuilder(await stage.enter(again.url, await stage.signIn(again.url, 'builder@example.com')))
  expect(await back.look(builder.places)).toEqual(builder.places.map((_, i) => (i < 50 ? 'planks' : 'stone')))
})
