import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, expect, it } from '@jest/globals'
import { ask, signIn } from '../support/api.ts'
import { administrator, createStage } from '../support/stage.ts'

const stage = createStage()
afterAll(() => stage.close())

/**
 * A data folder of version 0.1.0 (commit fbe09bf6) with level ground. It has an administrator, `friend@example.com` in `builder`
 * and muted, planks at 10 64 8, and the zone "Town" over their column.
 */
const archive = join(import.meta.dirname, 'data-0.1.0.tar.gz')

it('a data folder of version 0.1.0 opens unchanged, with all records', async () => {
  const dataDir = await stage.createEmptyDir()
  execFileSync('tar', ['-xzf', archive, '-C', dataDir])
  const server = await stage.start({ DATA_DIR: dataDir })
  const token = await signIn(server.url, administrator.email, administrator.password)
  const get = async (path: string) => {
    const answer = await ask(server.url, `GET ${path}`, { token })
    expect([path, answer.status]).toEqual([path, 200])
    return answer.body
  }

  expect(await get('/api/admin/users/friend@example.com')).toMatchObject({ displayName: 'Friend', groups: ['builder'] })
  expect(await get('/api/admin/sanctions')).toMatchObject({ sanctions: [{ kind: 'mute', reason: 'a test' }] })
  expect(await get('/api/admin/instances')).toMatchObject([{ name: 'Town', yMin: 0, yMax: 255, chunks: [{ cx: 0, cz: 0 }] }])
  expect(await get('/api/admin/worlds/default/history')).toMatchObject({
    changes: [{ x: 10, y: 64, z: 8, from: 'air', to: 'planks', via: 'game' }],
  })
  const { entries } = (await get('/api/admin/audit')) as { entries: readonly { action: string }[] }
  expect(entries.map(({ action }) => action)).toEqual(
    expect.arrayContaining(['account.create', 'zone.create', 'sanction.create']),
  )

  const game = await stage.enter(server.url, token)
  await game.session.ping()
  expect(await game.session.edit([{ x: 10, y: 64, z: 8, type: 'stone' }])).toMatchObject({ ok: true })
  await game.session.close()
  expect(await get('/api/admin/worlds/default/history')).toMatchObject({
    changes: [{ from: 'planks', to: 'stone' }, { to: 'planks' }],
  })
  server.signal('SIGTERM')
  expect(await server.ended).toBe(0)
}, 180_000)
