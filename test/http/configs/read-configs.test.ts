import { readFile } from 'node:fs/promises'
import { describe, expect, it } from '@jest/globals'
import { malformedNames, namesOutside } from '../../support/configs/config-names-outside.ts'
import { doors } from '../doors.ts'

const names = [
  'blocks.yaml',
  'classes.yaml',
  'groups.yaml',
  'modules.yaml',
  'server.yaml',
  'skills/attacks.yaml',
  'skills/spells.yaml',
  'worldgen.yaml',
]

describe.each(doors)('GET /api/admin/configs through %s', (_name, open) => {
  it('lists every name in order, with any data folder', async () => {
    const { get } = await open({ as: 'admin' })
    expect(await get('/api/admin/configs')).toMatchObject({ status: 200, body: names })
  })
})

describe.each(doors)('GET /api/admin/config-files through %s', (_name, open) => {
  it('describes every file, its author, and whether its values differ from the default', async () => {
    const { get, configFiles, clock } = await open({ as: 'admin' })
    const first = await get('/api/admin/config-files')
    expect(first.status).toBe(200)
    expect(first.body.map(({ name }: { readonly name: string }) => name)).toEqual(names)
    expect(first.body[0]).toEqual({ name: 'blocks.yaml', summary: 'The kinds of blocks.', effect: 'restart', isDefault: true })
    await configFiles.write('groups.yaml', 'groups: [{ name: builder, permissions: [] }]\n', { savedBy: 'ann@example.com' })
    await configFiles.write('worldgen.yaml', `# Ours.\n${await readFile('resources/config/worldgen.yaml', 'utf8')}`, {
      savedBy: 'file',
    })
    const savedAt = new Date(clock.now()).toISOString()
    const { body } = await get('/api/admin/config-files')
    expect(body).toContainEqual(
      expect.objectContaining({ name: 'groups.yaml', isDefault: false, savedAt, savedBy: 'ann@example.com' }),
    )
    expect(body).toContainEqual(expect.objectContaining({ name: 'worldgen.yaml', isDefault: true, savedBy: 'file' }))
  })

  it('reports a broken text as different from the default', async () => {
    const { get, configFiles } = await open({ as: 'admin' })
    await configFiles.write('blocks.yaml', 'blocks: {', { savedBy: 'file' })
    const { body } = await get('/api/admin/config-files')
    expect(body[0]).toMatchObject({ name: 'blocks.yaml', isDefault: false })
  })
})

describe.each(doors)('GET /api/admin/configs/{name} through %s', (_name, open) => {
  it.each(names)('answers the text of %s with its tag, source and effect', async (name) => {
    const { get, configFiles } = await open({ as: 'admin' })
    const { text, etag } = await configFiles.read(name)
    const answer = await get(`/api/admin/configs/${name}`)
    expect(answer).toMatchObject({ status: 200, text })
    expect(answer.headers).toMatchObject({
      'content-type': 'application/yaml',
      etag: `"${etag}"`,
      'x-config-source': 'default',
      'x-config-effect': name === 'server.yaml' || name === 'blocks.yaml' || name === 'worldgen.yaml' ? 'restart' : 'reload',
    })
  })

  it('marks a text from the data folder, and answers it unchanged', async () => {
    const { get, configFiles } = await open({ as: 'admin' })
    const text = '# Ours. Ünï😀\r\ngroups:   []   # none yet\n'
    const { etag } = await configFiles.write('groups.yaml', text, { savedBy: 'file' })
    const answer = await get('/api/admin/configs/groups.yaml')
    expect(answer).toMatchObject({ status: 200, text, headers: { 'x-config-source': 'data', etag: `"${etag}"` } })
  })

  it('accepts a slash written as %2F for the same name', async () => {
    const { get } = await open({ as: 'admin' })
    const [plain, encoded] = [
      await get('/api/admin/configs/skills/attacks.yaml'),
      await get('/api/admin/configs/skills%2Fattacks.yaml'),
    ]
    expect(encoded).toMatchObject({ status: 200, text: plain.text, headers: { etag: plain.headers.etag } })
  })

  it('answers 304 to a matching tag, and HEAD without the text', async () => {
    const { get, request } = await open({ as: 'admin' })
    const { headers } = await get('/api/admin/configs/groups.yaml')
    const fresh = await get('/api/admin/configs/groups.yaml', { 'if-none-match': headers.etag ?? '' })
    expect(fresh).toMatchObject({ status: 304, text: '', headers: { etag: headers.etag, 'x-config-source': 'default' } })
    expect(await get('/api/admin/configs/groups.yaml', { 'if-none-match': '"other"' })).toMatchObject({ status: 200 })
    expect(await request('HEAD', '/api/admin/configs/groups.yaml')).toMatchObject({
      status: 200,
      text: '',
      headers: { etag: headers.etag, 'content-length': headers['content-length'] },
    })
  })

  it('answers 405 with Allow to other methods', async () => {
    const { request } = await open({ as: 'admin' })
    const answer = await request('DELETE', '/api/admin/configs/skills/attacks.yaml')
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, HEAD, PUT, OPTIONS' } })
  })

  it('answers 400 to an unknown query', async () => {
    const { get } = await open({ as: 'admin' })
    expect(await get('/api/admin/configs/groups.yaml?x=1')).toMatchObject({ status: 400, body: { errors: [{ pointer: '/x' }] } })
  })
})

describe.each(doors)('a name outside of the catalogue through %s', (_name, open) => {
  const addresses = ['configs', 'config-revisions']

  it('answers 404 in any spelling, for reading, revisions and writing', async () => {
    const { get, request, configFiles } = await open({ as: 'admin' })
    for (const name of namesOutside) {
      for (const address of addresses) {
        const answer = await get(`/api/admin/${address}/${name}`)
        expect({ address, name, ...answer }).toMatchObject({ address, name, status: 404, body: { type: '/problems/not-found' } })
        expect(answer.text).not.toMatch(/root:|password|ENOENT|\/data\//)
      }
      const sent = { rawBody: 'groups: []\n', headers: { 'content-type': 'application/yaml' } }
      expect({ name, ...(await request('PUT', `/api/admin/configs/${name}`, sent)) }).toMatchObject({ name, status: 404 })
      expect({ name, ...(await request('PUT', `/api/admin/configs/${name}?dryRun=true`, sent)) }).toMatchObject({
        name,
        status: 404,
      })
    }
    for (const name of names) expect((await configFiles.read(name)).source).toBe('default')
  })

  it('answers 404 also when it does not decode', async () => {
    const { get, request } = await open({ as: 'admin' })
    const expected = { status: 404, body: { type: '/problems/not-found' } }
    const sent = { rawBody: 'groups: []\n', headers: { 'content-type': 'application/yaml' } }
    for (const name of malformedNames) {
      for (const address of addresses)
        expect({ name, ...(await get(`/api/admin/${address}/${name}`)) }).toMatchObject({ name, ...expected })
      expect({ name, ...(await request('PUT', `/api/admin/configs/${name}`, sent)) }).toMatchObject({ name, ...expected })
    }
  })
})

describe.each(doors)('GET /api/admin/schemas/{filename} through %s', (_name, open) => {
  it.each(names)('answers the schema of %s, with a tag', async (name) => {
    const { get } = await open({ as: 'admin' })
    const filename = name.replace('/', '-').replace('.yaml', '.schema.json')
    const answer = await get(`/api/admin/schemas/${filename}`)
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'content-type': 'application/schema+json', etag: expect.stringMatching(/^"[\w-]+"$/) },
      body: { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: filename, type: 'object' },
    })
    const { status } = await get(`/api/admin/schemas/${filename}`, { 'if-none-match': answer.headers.etag ?? '' })
    expect(status).toBe(304)
  })

  it.each([
    'users.schema.json',
    'groups.json',
    'groups.yaml',
    'Groups.schema.json',
    'skills%2Fattacks.schema.json',
    '..%2Fgroups.schema.json',
    '__proto__',
  ])('answers 404 to %s', async (filename) => {
    const { get } = await open({ as: 'admin' })
    expect(await get(`/api/admin/schemas/${filename}`)).toMatchObject({ status: 404, body: { type: '/problems/not-found' } })
  })
})
