import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from '@jest/globals'
import { AppError } from '../../../shared/kernel/errors.ts'
import { doors } from '../doors.ts'

const path = '/api/admin/backups'
const backup = { id: '20261123T053600Z-00000000', at: '2026-11-23T05:36:00.000Z', worlds: ['default'], sizeBytes: 1 }

/** One backup in memory, until it is removed. */
const createOneBackup = () => {
  let kept = [backup]
  const get = async (id: string) => {
    const found = kept.find((one) => one.id === id)
    if (found === undefined) throw new AppError('not-found', 'not-found', 'There is no backup with that id.')
    return found
  }
  const archive = async function* (id: string) {
    yield Buffer.from(`the archive of ${id}`)
  }
  return {
    list: async () => kept,
    get,
    archive: async (id: string) => archive((await get(id)).id),
    remove: async (id: string) => {
      const found = await get(id)
      kept = []
      return found
    },
  }
}

describe.each(doors)('backups through %s', (_name, open) => {
  it('are listed, and created by a job', async () => {
    const { get, post } = await open({ as: 'admin', deps: { backups: createOneBackup() } })
    expect((await get(path)).body).toEqual({ backups: [backup] })
    const { status, body } = await post(path)
    expect([status, body]).toEqual([202, expect.objectContaining({ kind: 'backup', state: 'queued' })])
    expect((await get(`/api/admin/jobs/${body.id}`)).body).toEqual(body)
  })

  it('are verified by a job, and deleted with an audit entry', async () => {
    const door = await open({ as: 'admin', deps: { backups: createOneBackup() } })
    const { status, body, headers } = await door.post(`${path}/${backup.id}/verify`)
    expect([status, body.kind, headers.location]).toEqual([202, 'verify-backup', `/api/admin/jobs/${body.id}`])
    expect((await door.request('DELETE', `${path}/${backup.id}`)).status).toBe(204)
    expect((await door.get(path)).body).toEqual({ backups: [] })
    const { entries } = (await door.get(`/api/admin/audit?target=${backup.id}`)).body
    expect(entries).toContainEqual(expect.objectContaining({ action: 'backup.delete', before: backup, after: null }))
    for (const answer of [await door.post(`${path}/none/verify`), await door.request('DELETE', `${path}/none`)])
      expect(answer.status).toBe(404)
  })

  it('are downloaded as a compressed archive, with every permission only', async () => {
    const { request } = await open({ as: 'admin', deps: { backups: createOneBackup() } })
    const answer = await request('GET', `${path}/${backup.id}/download`)
    expect(answer).toMatchObject({
      status: 200,
      headers: {
        'content-type': 'application/gzip',
        'content-disposition': `attachment; filename="gatehouse-${backup.id}.tar.gz"`,
      },
    })
    expect(gunzipSync(answer.bytes).toString()).toBe(`the archive of ${backup.id}`)
    const keeper = await open({ as: 'player', deps: { backups: createOneBackup() } })
    await keeper.accountStore.change('player@example.com', (account) => ({
      next: account && {
        ...account,
        grants: [{ id: 'g', permission: 'admin.backups.write', by: 'admin@example.com', at: backup.at }],
      },
      result: undefined,
    }))
    expect(await keeper.request('GET', `${path}/${backup.id}/download`)).toMatchObject({
      status: 403,
      body: { type: '/problems/beyond-own-permissions' },
    })
  })

  it('are managed elsewhere without a data folder, and the answer says how', async () => {
    const { get, post, request } = await open({ as: 'admin' })
    const one = `${path}/${backup.id}`
    const answers = [
      await get(path),
      await post(path),
      await post(`${one}/verify`),
      await get(`${one}/download`),
      await request('DELETE', one),
    ]
    for (const answer of answers)
      expect(answer).toMatchObject({
        status: 409,
        body: { type: '/problems/managed-elsewhere', detail: expect.stringContaining('point-in-time') },
      })
  })
})
