import { describe, expect, it } from '@jest/globals'
import { doors } from '../doors.ts'

const path = '/api/admin/backups'
const backup = { id: '20261123T053600Z-00000000', at: '2026-11-23T05:36:00.000Z', worlds: ['default'], sizeBytes: 1 }

describe.each(doors)('backups through %s', (_name, open) => {
  it('are listed, and created by a job', async () => {
    const { get, post } = await open({ as: 'admin', deps: { backups: { list: async () => [backup] } } })
    expect((await get(path)).body).toEqual({ backups: [backup] })
    const { status, body } = await post(path)
    expect([status, body]).toEqual([202, expect.objectContaining({ kind: 'backup', state: 'queued' })])
    expect((await get(`/api/admin/jobs/${body.id}`)).body).toEqual(body)
  })

  it('are managed elsewhere without a data folder, and the answer says how', async () => {
    const { get, post } = await open({ as: 'admin' })
    for (const answer of [await get(path), await post(path)])
      expect(answer).toMatchObject({
        status: 409,
        body: { type: '/problems/managed-elsewhere', detail: expect.stringContaining('point-in-time') },
      })
  })
})
