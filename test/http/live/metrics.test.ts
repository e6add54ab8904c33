import { describe, expect, it } from '@jest/globals'
import { createStepHistory } from '../../../realtime/metrics/step-history.ts'
import { doors } from '../doors.ts'

describe.each(doors)('GET /api/admin/metrics through %s', (_name, open) => {
  it('has the steps of every node, except nodes that report in another form', async () => {
    const { get, nodeReports, clock } = await open({ as: 'admin' })
    expect((await get('/api/admin/metrics')).body).toEqual({ stepSeconds: 5, nodes: [] })
    const history = createStepHistory({ clock })
    history.step()
    await nodeReports.tell('metrics', 'one', JSON.stringify(history.list()))
    for (const [node, text] of [
      ['two', '{'],
      ['three', '[{"at":1}]'],
    ] as const)
      await nodeReports.tell('metrics', node, text)
    const { status, body } = await get('/api/admin/metrics')
    expect(status).toBe(200)
    expect(body).toEqual({
      stepSeconds: 5,
      nodes: [
        { node: 'one', steps: [...history.list()] },
        { node: 'three', steps: [] },
        { node: 'two', steps: [] },
      ],
    })
  })

  it('has a day of each node in steps of two minutes, and refuses another span', async () => {
    const { get, nodeReports, clock } = await open({ as: 'admin' })
    const history = createStepHistory({ clock })
    for (let step = 0; step < 24; step += 1) history.step()
    await nodeReports.tell('day', 'one', JSON.stringify(history.listDay()))
    const { body } = await get('/api/admin/metrics?span=day')
    expect(body).toEqual({ stepSeconds: 120, nodes: [{ node: 'one', steps: [...history.listDay()] }] })
    expect(history.listDay()).toHaveLength(1)
    expect((await get('/api/admin/metrics?span=year')).status).toBe(400)
  })
})

describe.each(doors)('GET /api/admin/server through %s', (_name, open) => {
  it('has the version and the start of the process, for administrators', async () => {
    const { get, clock } = await open({ as: 'admin' })
    const { status, body } = await get('/api/admin/server')
    expect(status).toBe(200)
    expect(body).toEqual({ version: expect.stringMatching(/^\d+\.\d+\.\d+/), startedAt: expect.any(String) })
    expect(Date.parse(String(body.startedAt))).toBeLessThan(clock.now())
    expect((await (await open()).get('/api/admin/server')).status).toBe(401)
  })
})
