import { describe, expect, it } from '@jest/globals'
import { doors, type OpenDoor } from '../doors.ts'

const text = `modules:
  greeter:
    # Said to each player.
    settings: { welcome: 5 }
`
const message = 'must be text'

const listed = {
  version: '',
  api: 1,
  required: false,
  msPerTick: 0,
  handlers: [],
  faults: 0,
  setAside: 0,
  entities: 0,
  commands: [],
  messages: [],
  permissions: [],
}

/** Answers orders about settings as a node does that runs “greeter”. */
const answerAsNode = async ({ events, nodeReports }: OpenDoor): Promise<void> => {
  await nodeReports.tell('players', 'node-1', '[]')
  await events.subscribe('module-order', ({ id, order }) => {
    if (order.kind === 'switch') {
      const state = order.isOn ? 'running' : 'disabled'
      void events.publish('module-ordered', {
        id,
        nodeId: 'node-1',
        outcome: 'done',
        value: { ...listed, name: order.module, state },
      })
    }
    if (order.kind !== 'check-settings') return
    const fault = { pointer: '/modules/greeter/settings/welcome', message }
    const isGood = order.modules.greeter?.welcome !== 5
    void events.publish('module-ordered', {
      id,
      nodeId: 'node-1',
      outcome: 'done',
      value: { greeter: { isRunning: true, faults: isGood ? [] : [fault] } },
    })
  })
}

const put = ({ request }: OpenDoor, rawBody: string, query = '') =>
  request('PUT', `/api/admin/configs/modules.yaml${query}`, { rawBody, headers: { 'content-type': 'application/yaml' } })

describe.each(doors)('settings of modules in modules.yaml through %s', (_name, open) => {
  it.each(['?dryRun=true', ''])('are refused with their line when a node says that they do not fit%s', async (query) => {
    const door = await open({ as: 'admin' })
    await answerAsNode(door)
    const answer = await put(door, text, query)
    expect(answer).toMatchObject({ status: 422, body: { type: '/problems/invalid-config' } })
    expect(answer.body.errors).toEqual([{ pointer: '/modules/greeter/settings/welcome', message, line: 4, column: 17 }])
    expect((await put(door, text.replace('5', 'Ahoy'), query)).status).toBe(200)
  })

  it('are accepted with a warning when no node has loaded the module', async () => {
    const { status, body } = await put(await open({ as: 'admin' }), text, '?dryRun=true')
    expect([status, body.impact.warnings]).toEqual([
      200,
      ['The settings of "greeter" were not checked, because no running node has loaded this module.'],
    ])
  })

  it('lose the entry of a module that is turned off and on again', async () => {
    const door = await open({ as: 'admin' })
    await answerAsNode(door)
    const turn = (how: string) => door.request('POST', `/api/admin/modules/slow/${how}`)
    expect((await turn('disable')).status).toBe(200)
    const readText = async () => (await door.request('GET', '/api/admin/configs/modules.yaml')).text
    expect(await readText()).toContain('enabled: false')
    expect((await turn('enable')).status).toBe(200)
    expect(await readText()).not.toContain('slow')
  })
})
