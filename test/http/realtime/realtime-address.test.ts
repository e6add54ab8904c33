import { describe, expect, it } from '@jest/globals'
import { doors } from '../doors.ts'

describe.each(doors)('GET /realtime without an upgrade, through %s', (_name, open) => {
  it('answers 426 with the protocol', async () => {
    const { get } = await open()
    const answer = await get('/realtime')
    expect(answer).toMatchObject({ status: 426, body: { type: '/problems/upgrade-required' } })
    expect(answer.headers.upgrade).toBe('websocket')
  })

  it('answers 404 for an unknown world, and 400 for an invalid name', async () => {
    const { get } = await open()
    expect((await get('/realtime?world=nowhere')).status).toBe(404)
    expect((await get('/realtime?world=a%20b')).status).toBe(400)
  })
})
