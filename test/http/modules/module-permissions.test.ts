import { describe, expect, it } from '@jest/globals'
import { tellModules } from '../../../shared/domain/modules/admin/module-report.ts'
import { doors, type OpenDoor } from '../doors.ts'

const permission = 'module.shop.sell'
const email = 'player@example.com'

const reportShop = ({ nodeReports }: OpenDoor): Promise<void> =>
  tellModules(nodeReports, 'node-1', [
    {
      name: 'shop',
      version: '',
      api: 1,
      state: 'running',
      required: false,
      msPerTick: 0,
      handlers: [],
      faults: 0,
      setAside: 0,
      entities: 0,
      commands: [],
      messages: [],
      permissions: [permission],
    },
  ])

const yaml = (text: string) => ({ rawBody: text, headers: { 'content-type': 'application/yaml' } })

/** The answers of all routes that check the names of permissions. */
const askAll = async ({ get, post, request }: OpenDoor) => {
  const groups = `groups:\n  - name: player\n    permissions: [${permission}]\n`
  return {
    grant: await post(`/api/admin/users/${email}/grants`, { permission }),
    wildcard: await post(`/api/admin/users/${email}/grants`, { permission: 'module.shop.*' }),
    token: await post('/auth/tokens', { name: 'till', permissions: [permission] }),
    explanation: await get(`/api/admin/explain?email=${email}&permission=${permission}`),
    review: await request('PUT', '/api/admin/configs/groups.yaml?dryRun=true', yaml(groups)),
  }
}

describe.each(doors)('permissions of modules through %s', (_name, open) => {
  it('are known once a node reports them, in a process without modules', async () => {
    const door = await open({ as: 'admin' })
    await reportShop(door)
    const { grant, wildcard, token, explanation, review } = await askAll(door)
    expect([grant.status, wildcard.status, token.status, explanation.status, review.status]).toEqual([201, 201, 201, 200, 200])
    expect(explanation.body).toMatchObject({ allowed: true })
    expect(review.body.impact.warnings.filter((warning: string) => warning.includes('module.'))).toEqual([])
    const misspelt = await door.post(`/api/admin/users/${email}/grants`, { permission: 'module.shop.sel' })
    expect(misspelt.body.detail).toBe(`Unknown permission \`module.shop.sel\`. Did you mean \`${permission}\`?`)
  })

  it('are refused with a plain reason while no node reports its modules', async () => {
    const { grant, wildcard, token, explanation, review } = await askAll(await open({ as: 'admin' }))
    const reason = 'No running node reports its modules at the moment.'
    for (const { status, body } of [grant, wildcard, token, explanation]) {
      expect([status, body.type]).toEqual([422, '/problems/unknown-permission'])
      expect(body.detail).toContain(reason)
    }
    expect(review.body.impact.warnings).toEqual(expect.arrayContaining([expect.stringContaining(reason)]))
  })
})
