import { describe, expect, it } from '@jest/globals'
import { AppError } from '../../../shared/kernel/errors.ts'
import { doors, type OpenDoor } from '../doors.ts'

const yaml = { 'content-type': 'application/yaml' }
const address = '/api/admin/configs/groups.yaml'
const text = '# Ours\r\ngroups:\n  - name:   guide # shows around\n    permissions: [command.help]\n'

const put = ({ request }: OpenDoor, rawBody: string | Uint8Array, headers: object = {}, path = address) =>
  request('PUT', path, { rawBody, headers: { ...yaml, ...headers } })

const readAll = async ({ configFiles, deps }: OpenDoor) => ({
  stored: await configFiles.read('groups.yaml'),
  revisions: await configFiles.revisions('groups.yaml'),
  audit: (await deps.audit.listEntries({ limit: 200, target: 'groups.yaml' })).entries,
})

describe.each(doors)('PUT /api/admin/configs/{name} through %s', (_name, open) => {
  it.each(['application/yaml', 'text/yaml', 'text/plain', 'TEXT/YAML; charset=utf-8'])(
    'stores the body sent as %s unchanged, and answers its new tag',
    async (mediaType) => {
      const door = await open({ as: 'admin' })
      const answer = await put(door, text, { 'content-type': mediaType })
      const stored = await door.configFiles.read('groups.yaml')
      expect(stored).toMatchObject({ text, source: 'data' })
      expect(answer).toMatchObject({
        status: 200,
        body: { name: 'groups.yaml', etag: stored.etag, effect: 'reload' },
        headers: { etag: `"${stored.etag}"` },
      })
      expect(await door.get(address)).toMatchObject({ status: 200, text, headers: { etag: answer.headers.etag } })
    },
  )

  it('keeps the previous text as a revision, and audits the author and the changed keys', async () => {
    const door = await open({ as: 'admin' })
    const before = await door.configFiles.read('groups.yaml')
    await put(door, text, { 'x-request-id': 'save-1' })
    const { revisions, audit } = await readAll(door)
    expect(revisions).toMatchObject([{ savedBy: 'default' }])
    expect(await door.configFiles.findRevision('groups.yaml', revisions[0]?.revision ?? '')).toBe(before.text)
    expect(audit).toMatchObject([
      {
        actor: 'admin@example.com',
        action: 'config.save',
        via: 'http',
        requestId: 'save-1',
        before: { etag: before.etag, bytes: Buffer.byteLength(before.text) },
        after: { bytes: Buffer.byteLength(text), changed: expect.arrayContaining([expect.stringMatching(/^\/groups\//)]) },
      },
    ])
    expect(JSON.stringify(audit)).not.toContain('shows around')
  })

  it('does not change the active config until a reload', async () => {
    const door = await open({ as: 'admin' })
    await put(door, text)
    expect(door.deps.permissions.groupNames()).not.toContain('guide')
  })

  it('of the stored text answers 200 and changes nothing', async () => {
    const door = await open({ as: 'admin' })
    await put(door, text)
    const before = await readAll(door)
    expect(await put(door, text)).toMatchObject({ status: 200, body: { etag: before.stored.etag } })
    expect(await readAll(door)).toEqual(before)
  })

  it.each([
    ['server.yaml', 'realtime: {tickRate: 30}', 'restart'],
    ['server.yaml', 'http: {rateLimits: {requestsPerMinutePerToken: 5}}', 'reload'],
    ['groups.yaml', 'groups: []', 'reload'],
    ['worldgen.yaml', 'seaLevel: 70', 'restart'],
  ])('of %s with %s reports the effect %s', async (name, rawBody, effect) => {
    const door = await open({ as: 'admin' })
    expect(await put(door, rawBody, {}, `/api/admin/configs/${name}`)).toMatchObject({ status: 200, body: { name, effect } })
  })

  it('accepts the current tag, and * for any text', async () => {
    const door = await open({ as: 'admin' })
    const { headers } = await door.get(address)
    const first = await put(door, text, { 'if-match': headers.etag ?? '' })
    expect(first.status).toBe(200)
    expect((await put(door, 'groups: []\n', { 'if-match': '*' })).status).toBe(200)
  })

  it.each([
    ['a stale tag', '"stale"', 412, '/problems/stale'],
    ['a weak tag', 'W/"weak"', 412, '/problems/stale'],
    ['a malformed tag', 'nothing', 400, '/problems/bad-request'],
  ])('with %s changes nothing', async (_what, tag, status, type) => {
    const door = await open({ as: 'admin' })
    const before = await readAll(door)
    expect(await put(door, text, { 'if-match': tag })).toMatchObject({ status, body: { type } })
    expect(await readAll(door)).toEqual(before)
  })

  it('answers one of two concurrent saves with 412', async () => {
    const door = await open({ as: 'admin' })
    const { headers } = await door.get(address)
    const texts = ['groups: []\n# one\n', 'groups: []\n# two\n']
    const answers = await Promise.all(texts.map((one) => put(door, one, { 'if-match': headers.etag ?? '' })))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412])
    const won = texts[answers.findIndex(({ status }) => status === 200)]
    expect((await door.configFiles.read('groups.yaml')).text).toBe(won)
    expect((await readAll(door)).audit).toHaveLength(1)
  })

  it('without a tag accepts two concurrent saves, and the lost text is a revision', async () => {
    const door = await open({ as: 'admin' })
    const texts = ['groups: []\n# one\n', 'groups: []\n# two\n']
    const answers = await Promise.all(texts.map((one) => put(door, one)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    const { stored, revisions } = await readAll(door)
    const lost = await door.configFiles.findRevision('groups.yaml', revisions[0]?.revision ?? '')
    expect([stored.text, lost].sort()).toEqual(texts)
  })

  it.each([
    ['JSON', '{"groups": []}', { 'content-type': 'application/json' }, 415],
    ['no media type', text, { 'content-type': '' }, 415],
    ['another charset', text, { 'content-type': 'text/yaml; charset=utf-16' }, 415],
    ['compressed', text, { 'content-encoding': 'gzip' }, 415],
    ['empty', '', {}, 400],
    ['not UTF-8', Buffer.from([0x61, 0xff, 0xfe]), {}, 400],
    ['a byte more than 1 MiB', Buffer.alloc(1_048_577, '#'), {}, 413],
  ])('of a body that is %s changes nothing', async (_what, rawBody, headers, status) => {
    const door = await open({ as: 'admin' })
    const before = await readAll(door)
    expect((await put(door, rawBody, headers)).status).toBe(status)
    expect(await readAll(door)).toEqual(before)
  })

  it('keeps Windows line ends, and removes a byte order mark', async () => {
    const door = await open({ as: 'admin' })
    const windows = '# Ours\r\ngroups: []\r\n'
    expect((await put(door, `\uFEFF${windows}`)).status).toBe(200)
    expect((await door.configFiles.read('groups.yaml')).text).toBe(windows)
  })

  it('accepts 1 MiB', async () => {
    const door = await open({ as: 'admin' })
    expect((await put(door, `groups: []\n${'#'.repeat(1_048_565)}`)).status).toBe(200)
  })

  it.each(['?dryRun=yes', '?dryRun=', '?dryRun=1', '?dryRun=True', '?dryRun=true&dryRun=true', '?dry=true'])(
    'with %s answers 400 and changes nothing',
    async (query) => {
      const door = await open({ as: 'admin' })
      const before = await readAll(door)
      expect(await put(door, text, {}, address + query)).toMatchObject({ status: 400, body: { type: '/problems/bad-request' } })
      expect(await readAll(door)).toEqual(before)
    },
  )

  it('answers 503 and keeps the old text when storage is read-only', async () => {
    const door = await open({ as: 'admin' })
    const before = await readAll(door)
    const write = door.configFiles.write
    door.configFiles.write = async () => {
      throw new AppError('unavailable', 'storage-full', 'There is no room left.')
    }
    const answer = await put(door, text)
    expect(answer).toMatchObject({ status: 503, body: { type: '/problems/storage-full' } })
    expect(answer.headers['retry-after']).toBeDefined()
    door.configFiles.write = write
    const after = await readAll(door)
    expect(after).toMatchObject({ stored: before.stored, revisions: before.revisions })
    expect(after.audit.map(({ action }) => action).sort()).toEqual(['config.save', 'config.save-failed'])
  })
})
