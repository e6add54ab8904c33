import { connect } from 'node:net'
import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { parseEnvironment } from '../../../shared/platform/process/environment.ts'
import { createChunk, setBlock } from '../../../shared/rules/chunks/chunk.ts'
import { openServices } from '../../../shared/services/services.ts'
import { type Child, patience, startChild, startEntry } from '../../e2e/support/child.ts'
import { administrator, quickConfig } from '../../e2e/support/stage.ts'
import { anyDynamo, type DynamoServer, openDynamo, openDynamoForTests } from '../../support/dynamodb/dynamodb.ts'
import { describeWhere } from '../../support/needs/guard.ts'
import { findFreePort } from '../../support/processes/free-port.ts'
import { anyRedis, openRedisForTests } from '../../support/redis/redis.ts'
import { silentLog } from '../../support/time/silent-log.ts'
import { createSampleRegistry } from '../../support/worlds/chunk-samples.ts'
import { storeColumns } from '../../support/zones/listed-zone.ts'

const describeBoth = describeWhere(anyRedis, anyDynamo)

describeBoth('npm run start:lambda', () => {
  let redis: Awaited<ReturnType<typeof openRedisForTests>>
  let dynamo: DynamoServer
  let lambdas: Child
  let url: string
  let token: string

  const send = async (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) => {
    const answer = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === '' ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await answer.text()
    const isJson = text !== '' && /^application\/([a-z]+\+)?json\b/.test(answer.headers.get('content-type') ?? '')
    return { status: answer.status, headers: answer.headers, text, body: isJson ? JSON.parse(text) : undefined }
  }

  beforeAll(async () => {
    token = ''
    redis = await openRedisForTests()
    dynamo = await openDynamoForTests()
    const tables = await openDynamo(dynamo.endpoint)
    const variables = {
      STORAGE: 'dynamodb',
      DYNAMODB_ENDPOINT: dynamo.endpoint,
      DYNAMODB_TABLE_PREFIX: tables.target.tablePrefix,
      REDIS_URL: redis.url,
    }
    tables.close()
    const adding = startEntry('tools/adduser.ts', [administrator.email, administrator.password, '--groups', 'admin'], variables)
    expect(await adding.ended).toBe(0)
    // A column of the world, which otherwise only the real-time node creates.
    const services = await openServices(parseEnvironment({ ...variables, ...patience, LOG_LEVEL: 'silent' }, 'task'), silentLog)
    const world = await services.worlds.createWorld({ name: 'default', seed: 1 })
    const column = createChunk(0, 0)
    for (let x = 0; x < 16; x += 1) for (let y = 3; y < 6; y += 1) setBlock(column, { x, y, z: x }, 2)
    await storeColumns(services.chunks, [column], createSampleRegistry(['stone', 'soil']), world)
    await services.configFiles.write('server.yaml', quickConfig, { savedBy: 'operator@example.com' })
    await services.close()
    lambdas = startChild(process.execPath, ['--import', 'tsx', 'infra/lambda-offline.ts'], {
      ...variables,
      PORT: String(await findFreePort()),
    })
    await lambdas.shows(/^Gatehouse is ready at (\S+)/m, 170_000)
    url = /^Gatehouse is ready at (\S+)/m.exec(lambdas.stdout())?.[1] ?? ''
  }, 180_000)
  afterAll(async () => {
    lambdas.signal('SIGTERM')
    expect(await lambdas.ended).toBe(0)
    await dynamo.stop()
    await redis.stop()
  }, 180_000)

  it('is alive and ready, on Redis and DynamoDB', async () => {
    expect(await send('GET', '/healthz')).toMatchObject({ status: 200, body: { status: 'ok' } })
    expect(await send('GET', '/readyz')).toMatchObject({ status: 200, body: { ready: true } })
  })

  it('serves its bundled pages compressed', async () => {
    const page = await fetch(`${url}/play`)
    expect(page.status).toBe(200)
    const text = await page.text()
    const script = /"(pages\/main-[^"]+\.js)"/.exec(text)?.[1] ?? ''
    const file = await fetch(`${url}/${script}`, { headers: { 'Accept-Encoding': 'br' } })
    expect(file.status).toBe(200)
    expect(file.headers.get('content-encoding')).toBe('br')
    expect((await file.text()).length).toBeGreaterThan(1000)
  })

  it('listens on loopback only', async () => {
    const { hostname, port } = new URL(url)
    expect(hostname).toBe('127.0.0.1')
    await new Promise<void>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.2', () => reject(new Error('it listens on more')))
      socket.once('error', () => resolve())
    })
  })

  it('signs in, with the password checked in a thread of the bundle', async () => {
    const answer = await send('POST', '/auth/login', administrator)
    expect(answer).toMatchObject({ status: 200, body: { displayName: expect.any(String) } })
    token = answer.body.token
    expect(await send('GET', '/auth/me')).toMatchObject({ status: 200 })
  })

  it('lists worlds, and creates a user that another function finds', async () => {
    expect(await send('GET', '/api/admin/worlds')).toMatchObject({ status: 200, body: [{ name: 'default', chunkCount: 1 }] })
    const user = { email: 'new+one@example.com', password: 'a long password' }
    expect(await send('POST', '/api/admin/users', user)).toMatchObject({ status: 201, body: { email: user.email } })
    expect(await send('GET', `/api/admin/users/${encodeURIComponent(user.email)}`)).toMatchObject({ status: 200 })
    const own = token
    token = ''
    expect(await send('POST', '/auth/login', user)).toMatchObject({ status: 200 })
    token = own
  })

  it('saves a config as YAML under a name with a slash', async () => {
    const read = await send('GET', '/api/admin/configs/skills/attacks.yaml')
    expect(read).toMatchObject({ status: 200 })
    const text = `# mine\n${read.text}`
    const saved = await send('PUT', '/api/admin/configs/skills/attacks.yaml', text, { 'content-type': 'application/yaml' })
    expect(saved).toMatchObject({ status: 200, body: { name: 'skills/attacks.yaml' } })
    expect((await send('GET', '/api/admin/configs/skills/attacks.yaml')).text).toBe(text)
  })

  it('streams the blocks of a zone and the columns of a world at the same address', async () => {
    const zone = { name: 'Town', yMin: 0, yMax: 20, chunks: [{ cx: 0, cz: 0 }] }
    const made = await send('POST', '/api/admin/instances', zone)
    expect(made.status).toBe(201)
    const blocks = await send('GET', `/api/admin/instances/${made.body.id}/blocks`)
    expect(blocks.status).toBe(200)
    expect(blocks.headers.get('x-total-blocks')).toBe('48')
    expect(blocks.headers.get('content-type')).toBe('application/x-ndjson')
    expect(blocks.headers.get('transfer-encoding')).toBe('chunked')
    expect(blocks.text.split('\n').length).toBe(49)
    const discovered = await send('GET', '/api/admin/chunks/discovered')
    expect(discovered).toMatchObject({ status: 200, body: [{ cx: 0, cz: 0 }] })
    expect(await send('POST', '/api/admin/chunks/discovered', {})).toMatchObject({ status: 405 })
  })

  it.each([
    ['POST', '/auth/login', '{', 400],
    ['GET', '/api/admin/nothing', undefined, 404],
    ['DELETE', '/api/admin/worlds', undefined, 405],
    ['GET', '/api/admin/users?nothing=1', undefined, 400],
    ['GET', '/problems/not-found', undefined, 302],
  ])('answers %s %s %s as other deployments do: %i', async (method, path, body, status) => {
    expect(await send(method, path, body)).toMatchObject({ status })
  })

  // Bodies, entity tags and media types. The rest of the suite takes minutes here and does not depend on the transport.
  it('passes the checks of saved configs in the conformance suite', async () => {
    const args = ['--url', url, '--email', administrator.email, '--password', '-', '--write', '--only', 'saved configs']
    const child = startEntry('tools/conformance.ts', args)
    try {
      child.endInput(`${administrator.password}\n`)
      const status = await child.ended
      const stdout = child.stdout()
      expect({ status, failed: stdout.match(/^ {2}✗.*(\n {6}.*)*/gm) }).toEqual({ status: 0, failed: null })
      expect(stdout).toMatch(/\n\d\d passed, 0 failed, \d+ skipped\n$/)
    } finally {
      await child.kill()
    }
  }, 240_000)
})
