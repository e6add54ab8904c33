import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals'
import type { Session } from '../../../sdk/connection/connect.ts'
import type { CommandResult, PermissionsChanged } from '../../../sdk/protocol/generated/gatehouse.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { type ConfigApi, createConfigApi } from '../support/config-api.ts'
import { administrator, createStage, type Server } from '../support/stage.ts'

const stage = createStage()
let server: Server
let groupsFile: string
let configs: ConfigApi
let chief: Session
let ann: Session
/** Changes of permissions that Ann received; the test removes those it has checked. */
let told: PermissionsChanged[]
let toldToAnn: AsyncIterator<PermissionsChanged>
beforeAll(async () => {
  const dataDir = await stage.createDataDir()
  groupsFile = join(dataDir, 'config', 'groups.yaml')
  server = await stage.start({ DATA_DIR: dataDir })
  const boss = await stage.claim(server)
  configs = createConfigApi(server.url, boss)
  chief = (await stage.enter(server.url, boss)).session
  ann = (await stage.enter(server.url, await stage.signIn(server.url, 'ann@example.com'))).session
  told = []
  ann.on('permissionsChanged', (change) => told.push(change))
  toldToAnn = ann.events('permissionsChanged')
})
afterAll(() => stage.close())

/** The default groups with one more command for every player. */
const withSay = (text: string): string => text.replace('      - command.who\n', '      - command.who\n      - command.say\n')

const nextCommands = async (): Promise<string[]> =>
  (await toldToAnn.next()).value.commands.map(({ name }: { name: string }) => name)

const tries = (session: Session, text: string): Promise<CommandResult> => session.command(text)

const warnings = async (): Promise<unknown> => (await ask(server.url, 'GET /readyz')).body.warnings

describe('groups.yaml edited over HTTP while players are in the game', () => {
  let original: { text: string; etag: string }

  it('shows changes and affected players in a dry run, and writes nothing', async () => {
    original = await configs.read('groups.yaml')
    expect(original).toMatchObject({ status: 200, source: 'data', text: await readFile(groupsFile, 'utf8') })
    const answer = await configs.rehearse('groups.yaml', withSay(original.text))
    expect(answer).toMatchObject({
      status: 200,
      body: {
        name: 'groups.yaml',
        effect: 'reload',
        changes: [{ pointer: expect.stringMatching(/^\/groups\/0\/permissions/), effect: 'reload' }],
      },
    })
    const impact = JSON.stringify(answer.body.impact)
    expect(impact).toContain('ann@example.com')
    expect(impact).toContain('command.say')
    expect((await configs.read('groups.yaml')).etag).toBe(original.etag)
    expect(await readFile(groupsFile, 'utf8')).toBe(original.text)
    expect(await configs.revisions('groups.yaml')).toEqual([])
  })

  it('gives a player in the game the new command only once the save is reloaded', async () => {
    const saved = await configs.save('groups.yaml', withSay(original.text), original.etag)
    expect(saved).toMatchObject({ status: 200, body: { name: 'groups.yaml', effect: 'reload', etag: expect.any(String) } })
    expect(await readFile(groupsFile, 'utf8')).toBe(withSay(original.text))
    expect((await tries(ann, '/say too early')).ok).not.toBe(true)
    expect(told).toEqual([])

    expect(await configs.reload()).toMatchObject({
      status: 200,
      body: { reloaded: expect.arrayContaining(['groups.yaml']), restartNeeded: [], failed: [] },
    })
    expect(await nextCommands()).toContain('say')
    expect((await tries(ann, '/say hear me')).ok).toBe(true)
  })

  it('returns 412 for a stale save, and 422 with all faults for invalid text', async () => {
    expect(await configs.save('groups.yaml', original.text, original.etag)).toMatchObject({ status: 412 })
    const broken = 'groups:\n  - { name: Player, permissions: [world.build] }\n  - { name: x, permissions: [], extra: 1 }\n'
    expect(await configs.save('groups.yaml', broken)).toMatchObject({
      status: 422,
      body: { type: '/problems/invalid-config', errors: [{ line: 2 }, { line: 3 }] },
    })
    expect(await readFile(groupsFile, 'utf8')).toBe(withSay(original.text))
  })

  it('returns to an earlier revision by saving its text', async () => {
    const [earlier] = await configs.revisions('groups.yaml')
    if (earlier === undefined) throw new Error('there is no revision')
    const text = await configs.readRevision('groups.yaml', earlier)
    expect(text).toBe(original.text)
    expect((await configs.save('groups.yaml', text)).status).toBe(200)
    expect((await configs.reload()).status).toBe(200)
    expect(await nextCommands()).not.toContain('say')
    expect((await tries(ann, '/say once more')).ok).not.toBe(true)
    const [latest] = await configs.revisions('groups.yaml')
    expect(latest).toMatchObject({ savedBy: administrator.email })
  })
})

describe('a config file broken by hand', () => {
  let good: string
  beforeAll(async () => {
    good = await readFile(groupsFile, 'utf8')
  })
  beforeEach(async () => {
    await writeFile(groupsFile, good)
    expect((await configs.reload()).body.failed).toEqual([])
  })

  it('keeps the last valid one active, and is named by the reload, /readyz and the log', async () => {
    expect(await warnings()).toEqual([])
    const unfinished = `${withSay(good)}  oops: [unfinished\n`
    const lastLine = unfinished.split('\n').length
    await writeFile(groupsFile, unfinished)
    const reply = await tries(chief, '/reload')
    expect(reply.ok).not.toBe(true)
    expect(reply.text).toMatch(/groups\.yaml/)
    const { status, body } = await configs.reload()
    expect({ status, body }).toMatchObject({
      status: 200,
      body: {
        failed: [
          { name: 'groups.yaml', errors: expect.arrayContaining([{ line: lastLine, column: 1, message: expect.any(String) }]) },
        ],
      },
    })
    expect(await warnings()).toEqual([expect.stringContaining('groups.yaml')])
    expect((await ask(server.url, 'GET /readyz')).status).toBe(200)
    await waitFor(() => server.stdout().includes('a config is broken; the last good version stays active'))

    expect((await tries(ann, '/who')).ok).toBe(true)
    expect((await tries(ann, '/say not this one')).ok).not.toBe(true)
    const { session: newcomer } = await stage.enter(server.url, await stage.signIn(server.url, 'newcomer@example.com'))
    let changes = 0
    newcomer.on('permissionsChanged', () => {
      changes += 1
    })
    expect((await tries(newcomer, '/who')).ok).toBe(true)

    await writeFile(groupsFile, withSay(good))
    expect((await tries(chief, '/reload')).ok).toBe(true)
    expect(await nextCommands()).toContain('say')
    expect(await warnings()).toEqual([])
    await waitFor(() => changes === 1)
  })

  it('can be fixed by a save, which keeps the broken text as a revision', async () => {
    const broken = `${good}\toops\n`
    await writeFile(groupsFile, broken)
    await configs.reload()
    expect(await warnings()).toEqual([expect.stringContaining('groups.yaml')])
    expect((await configs.save('groups.yaml', good)).status).toBe(200)
    expect((await configs.reload()).body.failed).toEqual([])
    expect(await warnings()).toEqual([])
    const [latest] = await configs.revisions('groups.yaml')
    if (latest === undefined) throw new Error('there is no revision')
    expect(latest.savedBy).toBe('file')
    expect(await configs.readRevision('groups.yaml', latest)).toBe(broken)
  })
})
