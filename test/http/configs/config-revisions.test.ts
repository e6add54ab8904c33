import { describe, expect, it } from '@jest/globals'
import { doors, type OpenDoor } from '../doors.ts'

const address = '/api/admin/config-revisions/groups.yaml'

const save = ({ request }: OpenDoor, rawBody: string) =>
  request('PUT', '/api/admin/configs/groups.yaml', { rawBody, headers: { 'content-type': 'application/yaml' } })

describe.each(doors)('GET /api/admin/config-revisions/{name} through %s', (_name, open) => {
  it('is an empty list for an unchanged file', async () => {
    const { get } = await open({ as: 'admin' })
    expect(await get(address)).toMatchObject({ status: 200, body: [] })
    expect(await get('/api/admin/config-revisions/skills/attacks.yaml')).toMatchObject({ status: 200, body: [] })
  })

  it('lists earlier texts, newest first, with the time and author of each save', async () => {
    const door = await open({ as: 'admin' })
    for (const text of ['groups: [] # 1\n', 'groups: [] # 2\n', 'groups: [] # 3\n']) {
      door.clock.advance(1000)
      await save(door, text)
    }
    const { status, body, headers } = await door.get(address)
    expect(status).toBe(200)
    expect(headers['content-type']).toMatch(/^application\/json/)
    expect(body).toEqual([
      { revision: expect.any(String), savedAt: '2026-01-01T00:00:02.000Z', savedBy: 'admin@example.com' },
      { revision: expect.any(String), savedAt: '2026-01-01T00:00:01.000Z', savedBy: 'admin@example.com' },
      { revision: expect.any(String), savedAt: expect.any(String), savedBy: 'default' },
    ])
  })

  it('keeps the last 20', async () => {
    const door = await open({ as: 'admin' })
    for (let at = 0; at < 25; at++) await save(door, `groups: [] # ${at}\n`)
    const { body } = await door.get(address)
    expect(body).toHaveLength(20)
    const texts = await Promise.all(
      [body[0], body[19]].map(async ({ revision }) => (await door.get(`${address}?revision=${revision}`)).text),
    )
    expect(texts).toEqual(['groups: [] # 23\n', 'groups: [] # 4\n'])
  })

  it('answers an earlier text unchanged, which can be saved again as usual', async () => {
    const door = await open({ as: 'admin' })
    const text = '# Ours. Ünï😀\r\ngroups:   []\r\n'
    await save(door, text)
    await save(door, 'groups: []\n')
    const [{ revision }] = (await door.get(address)).body
    const earlier = await door.get(`${address}?revision=${revision}`)
    expect(earlier).toMatchObject({ status: 200, text, headers: { 'content-type': 'application/yaml' } })
    expect((await save(door, earlier.text)).status).toBe(200)
    expect(await door.configFiles.read('groups.yaml')).toMatchObject({ text })
    expect((await door.get(address)).body).toHaveLength(3)
  })

  it.each(['nothing', '..%2F..%2Fgroups.yaml', '%00', '0', 'x'.repeat(256), '__proto__'])(
    'answers 404 to the missing revision %s',
    async (revision) => {
      const door = await open({ as: 'admin' })
      await save(door, 'groups: []\n')
      const answer = await door.get(`${address}?revision=${revision}`)
      expect(answer).toMatchObject({ status: 404, body: { type: '/problems/not-found' } })
    },
  )

  it('answers 404 to a revision of another file', async () => {
    const door = await open({ as: 'admin' })
    await save(door, 'groups: []\n')
    const [{ revision }] = (await door.get(address)).body
    expect((await door.get(`/api/admin/config-revisions/server.yaml?revision=${revision}`)).status).toBe(404)
  })

  it.each(['?revision=', `?revision=${'x'.repeat(257)}`, '?revision=a&revision=b', '?rev=a'])(
    'answers 400 to %s',
    async (query) => {
      const { get } = await open({ as: 'admin' })
      expect((await get(address + query)).status).toBe(400)
    },
  )
})
