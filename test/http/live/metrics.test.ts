import { describe, expect, it } from '@jest/globals'
import { createStepHistory } from '../../../realtime/metrics/step-history.ts'
import { doors } from '../doors.ts'

describe.each(doors)('GET /api/admin/metrics through %s', (_name, open) => {
  it('has the steps of every node, except nodes that report in another form', async () => {
    const { get, nodeReports, clock } = await open({ as: 'admin' })
    expect((await get('/api/admin/metrics')).body).toEqual({ nodes: [] })
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
      nodes: [
        { node: 'one', steps: [...history.list()] },
        { node: 'three', steps: [] },
        { node: 'two', steps: [] },
      ],
    })
  })
})
