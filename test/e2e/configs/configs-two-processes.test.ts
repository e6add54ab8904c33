import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import type { Session } from '../../../sdk/connection/connect.ts'
import { describeOwnRedis, type RedisServer, startRedis } from '../../support/redis/redis.ts'
import { waitFor } from '../../support/time/wait-for.ts'
import { ask } from '../support/api.ts'
import { type ConfigApi, createConfigApi } from '../support/config-api.ts'
import { createStage, type Server } from '../support/stage.ts'

const stage = createStage()

/** The time until a reload in one process applies in the other. */

describeOwnRedis('configs of an HTTP process and a real-time process on one Redis', () => {
  let redis: RedisServer
  let groupsFile: string
  let http: Server
  let realtime: Server
  let boss: string
  let configs: ConfigApi
  let chief: Session
  let ann: Session
  let changes = 0

  beforeAll(async () => {
    redis = await startRedis()
    const dataDir = await stage.createDataDir()
    groupsFile = join(dataDir, 'config', 'groups.yaml')
    const pair = await stage.startPair(dataDir, redis.url)
    http = pair.http
    realtime = pair.realtime
    boss = await stage.claim(http)
    configs = createConfigApi(http.url, boss)
    chief = (await stage.enter(http.url, boss)).session
    ann = (await stage.enter(http.url, await stage.signIn(http.url, 'ann@example.com'))).session
    ann.on('permissionsChanged', () => {
      changes += 1
    })
  })
  afterAll(async () => {
    await stage.close()
    await redis?.stop()
  })

  const withCommand = (text: string, command: string): string =>
    text.replace('      - command.who\n', `      - command.who\n      - command.${command}\n`)

  it('counts the players of the node in a dry run of the HTTP process', async () => {
    const { text } = await configs.read('groups.yaml')
    const rehearse = async () =>
      (await configs.rehearse('groups.yaml', withCommand(text, 'say'))).body.impact as { connected: number }
    // The node publishes it once a second.
    await waitFor(async () => (await rehearse()).connected > 0)
    expect(await rehearse()).toMatchObject({ connected: 1, groups: { accounts: { connected: 1 } } })
  })

  it('changes permissions of players on the node at a reload over HTTP', async () => {
    const { text, etag } = await configs.read('groups.yaml')
    expect((await configs.save('groups.yaml', withCommand(text, 'say'), etag)).status).toBe(200)
    expect((await configs.reload()).body.failed).toEqual([])
    await waitFor(() => changes === 1)
    expect((await ann.command('/say hear me')).ok).toBe(true)
  })

  it('changes settings of the HTTP process at a reload in the game', async () => {
    const text = await readFile(groupsFile, 'utf8')
    await writeFile(groupsFile, text.replace('groups:\n', 'groups:\n  - { name: painter, permissions: [] }\n'))
    const isKnown = async () => {
      const { body } = await ask(http.url, 'GET /api/admin/groups', { token: boss })
      return (body.groups as { name: string }[]).some(({ name }) => name === 'painter')
    }
    expect(await isKnown()).toBe(false)
    expect((await chief.command('/reload')).ok).toBe(true)
    await waitFor(isKnown)
  })

  it('names a broken file in both processes until it is fixed', async () => {
    const good = await readFile(groupsFile, 'utf8')
    const warnings = async (url: string) => (await ask(url, 'GET /readyz')).body.warnings as string[]
    const bothShow = (isNamed: boolean) =>
      waitFor(async () => {
        const all = [...(await warnings(http.url)), ...(await warnings(realtime.url))]
        return all.filter((warning) => warning.includes('groups.yaml')).length === (isNamed ? 2 : 0)
      })
    await writeFile(groupsFile, `${good}\toops`)
    expect((await configs.reload()).body.failed).toMatchObject([{ name: 'groups.yaml' }])
    await bothShow(true)
    await writeFile(groupsFile, good)
    expect((await configs.reload()).body.failed).toEqual([])
    await bothShow(false)
    expect(ann.state().name).toBe('live')
  })
})
