import { describe, expect, it } from '@jest/globals'
import { AppError } from '../../../../shared/kernel/errors.ts'
import { isLoopback } from '../../../../shared/kernel/loopback.ts'
import { type ProcessRole, parseEnvironment, type RawEnvironment } from '../../../../shared/platform/process/environment.ts'

const redis = { REDIS_URL: 'redis://127.0.0.1:6379' }

const refusalOf = (raw: RawEnvironment, role: ProcessRole = 'all'): AppError => {
  try {
    parseEnvironment(raw, role)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('the environment was accepted')
}
const namesOf = (error: AppError) => error.errors?.map(({ pointer }) => pointer)

describe('parseEnvironment', () => {
  it('has defaults for everything when one process does everything', () => {
    expect(parseEnvironment({}, 'all')).toEqual({
      role: 'all',
      host: '127.0.0.1',
      port: 3000,
      baseUrl: 'http://127.0.0.1:3000',
      dataDir: './data',
      backupDir: 'data/backups',
      serverDefaults: undefined,
      worldName: 'default',
      worldNames: ['default'],
      worldStandby: false,
      nodeUrl: undefined,
      nodeInternalUrl: undefined,
      drainLimitMs: 10_000,
      redisUrl: undefined,
      redisPatienceMs: 1000,
      realtimeUrl: undefined,
      logLevel: 'info',
      metricsPort: undefined,
      metricsHost: '127.0.0.1',
      allowPasswordless: false,
      shutdownDelayMs: 500,
      readSecret: expect.any(Function),
    })
  })

  it('treats an empty variable as absent', () => {
    const names = ['PORT', 'HOST', 'BASE_URL', 'DATA_DIR', 'GAME_WORLD_NAME', 'REDIS_URL', 'STORAGE', 'LOG_LEVEL', 'METRICS_PORT']
    expect(parseEnvironment(Object.fromEntries(names.map((name) => [name, ''])), 'all')).toEqual({
      ...parseEnvironment({}, 'all'),
      readSecret: expect.any(Function),
    })
  })

  it('reads variables named in a config, and treats empty ones as absent', () => {
    const { readSecret } = parseEnvironment({ CLIENT_SECRET: 'hush', EMPTY: '' }, 'all')
    expect(['CLIENT_SECRET', 'EMPTY', 'ABSENT'].map(readSecret)).toEqual(['hush', undefined, undefined])
  })

  it('reads every variable', () => {
    const raw = {
      PORT: '8080',
      HOST: '0.0.0.0',
      BASE_URL: 'https://game.example.org/play/',
      DATA_DIR: '/srv/gatehouse',
      GAME_WORLD_NAME: 'Over-World_2',
      REDIS_URL: 'rediss://user:secret@redis.example.org:6380/1',
      REALTIME_URL: 'ws://10.0.0.2:3001/',
      STORAGE: 'embedded',
      LOG_LEVEL: 'debug',
      METRICS_PORT: '9100',
      METRICS_HOST: '::1',
      ALLOW_PASSWORDLESS: 'true',
      SHUTDOWN_DELAY_MS: '2000',
      WORLD_STANDBY: 'true',
      NODE_URL: 'https://eu-1.game.example.org/',
      NODE_INTERNAL_URL: 'http://10.0.0.7:3001/',
      DRAIN_LIMIT_MS: '8000',
      REDIS_PATIENCE_MS: '3000',
    }
    expect(parseEnvironment(raw, 'http')).toEqual({
      role: 'http',
      host: '0.0.0.0',
      port: 8080,
      baseUrl: 'https://game.example.org/play',
      dataDir: '/srv/gatehouse',
      backupDir: '/srv/gatehouse/backups',
      worldName: 'Over-World_2',
      worldNames: ['Over-World_2'],
      worldStandby: true,
      nodeUrl: 'https://eu-1.game.example.org',
      nodeInternalUrl: 'http://10.0.0.7:3001',
      drainLimitMs: 8000,
      dynamodb: undefined,
      redisUrl: 'rediss://user:secret@redis.example.org:6380/1',
      redisPatienceMs: 3000,
      realtimeUrl: 'ws://10.0.0.2:3001',
      logLevel: 'debug',
      metricsPort: 9100,
      metricsHost: '::1',
      allowPasswordless: true,
      shutdownDelayMs: 2000,
      readSecret: expect.any(Function),
    })
  })

  it('reads several worlds in order of preference, the first as the default', () => {
    expect(parseEnvironment({ GAME_WORLD_NAME: 'default, arena,north_2' }, 'all')).toMatchObject({
      worldName: 'default',
      worldNames: ['default', 'arena', 'north_2'],
    })
  })

  it('reads the interval of load log lines from LOAD_LOG_SECONDS, by default never', () => {
    expect(parseEnvironment(redis, 'realtime').loadLogSeconds).toBeUndefined()
    expect(parseEnvironment({ ...redis, LOAD_LOG_SECONDS: '60' }, 'realtime').loadLogSeconds).toBe(60)
    for (const wrong of ['0', '3601', '1m'])
      expect(() => parseEnvironment({ ...redis, LOAD_LOG_SECONDS: wrong }, 'realtime')).toThrow(/LOAD_LOG_SECONDS/)
  })

  it('sends clients to BASE_URL when a node has no address of its own', () => {
    const raw = { ...redis, BASE_URL: 'https://game.example.org' }
    expect(parseEnvironment(raw, 'realtime').nodeUrl).toBe('https://game.example.org')
    expect(parseEnvironment({ ...raw, NODE_URL: 'https://eu-1.example.org' }, 'realtime')).toMatchObject({
      baseUrl: 'https://game.example.org',
      nodeUrl: 'https://eu-1.example.org',
      nodeInternalUrl: undefined,
    })
  })

  it('reads DynamoDB settings only with STORAGE=dynamodb, with a region unless it is local', () => {
    const raw = { STORAGE: 'dynamodb', AWS_REGION: 'eu-central-1' }
    expect(parseEnvironment(raw, 'all').dynamodb).toEqual({
      endpoint: undefined,
      region: 'eu-central-1',
      tablePrefix: 'gatehouse-',
      patienceMs: 1800,
    })
    const local = { STORAGE: 'dynamodb', DYNAMODB_ENDPOINT: 'http://127.0.0.1:8000/', DYNAMODB_TABLE_PREFIX: 'gh-dev-' }
    expect(parseEnvironment({ ...local, DYNAMODB_PATIENCE_MS: '6000' }, 'all').dynamodb).toEqual({
      endpoint: 'http://127.0.0.1:8000',
      region: 'us-east-1',
      tablePrefix: 'gh-dev-',
      patienceMs: 6000,
    })
    expect(parseEnvironment({ ...local, STORAGE: 'embedded' }, 'all').dynamodb).toBeUndefined()
    expect(namesOf(refusalOf({ STORAGE: 'dynamodb' }))).toEqual(['AWS_REGION'])
    for (const DYNAMODB_ENDPOINT of ['https://vpce.example.org', 'http://10.0.0.2:8000', 'https://127.0.0.1'])
      expect(namesOf(refusalOf({ STORAGE: 'dynamodb', DYNAMODB_ENDPOINT }))).toEqual(['AWS_REGION'])
    for (const [name, value] of [
      ['DYNAMODB_ENDPOINT', 'localhost:8000'],
      ['DYNAMODB_TABLE_PREFIX', 'a b'],
      ['AWS_REGION', 'Frankfurt am Main'],
      ['DYNAMODB_PATIENCE_MS', '99'],
      ['DYNAMODB_PATIENCE_MS', '60001'],
    ] as const)
      expect(namesOf(refusalOf({ ...raw, [name]: value }))).toEqual([name])
  })

  it('gives each role its port, and REALTIME_URL only to the HTTP half', () => {
    expect(parseEnvironment(redis, 'http')).toMatchObject({ port: 3000, realtimeUrl: undefined })
    expect(parseEnvironment({ ...redis, REALTIME_URL: 'http://10.0.0.2:3001' }, 'http').realtimeUrl).toBe('http://10.0.0.2:3001')
    expect(parseEnvironment({ ...redis, REALTIME_URL: 'http://10.0.0.2:3001' }, 'realtime')).toMatchObject({
      port: 3001,
      realtimeUrl: undefined,
    })
  })

  it('builds the base address from host and port, an IPv6 address in brackets', () => {
    expect(parseEnvironment({ HOST: '::1', PORT: '80' }, 'all').baseUrl).toBe('http://[::1]:80')
    expect(parseEnvironment({ HOST: 'game.example.org' }, 'all').baseUrl).toBe('http://game.example.org:3000')
  })

  it.each(['0', '1', '65535'])('accepts the port %s', (PORT) => {
    expect(parseEnvironment({ PORT }, 'all').port).toBe(Number(PORT))
  })

  it.each([
    ['PORT', '65536'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PORT', '0x50'],
    ['PORT', ' 80'],
    ['PORT', 'http'],
    ['METRICS_PORT', '123456'],
    ['HOST', 'a b'],
    ['HOST', '[::1]'],
    ['HOST', 'http://127.0.0.1'],
    ['METRICS_HOST', 'a/b'],
    ['BASE_URL', 'game.example.org'],
    ['BASE_URL', 'ftp://game.example.org'],
    ['BASE_URL', 'https://me:secret@game.example.org'],
    ['BASE_URL', 'https://game.example.org/?a=1'],
    ['BASE_URL', 'https://game.example.org/#top'],
    ['REDIS_URL', 'localhost:6379'],
    ['REDIS_URL', 'http://127.0.0.1:6379'],
    ['REDIS_URL', 'not a url'],
    ['REALTIME_URL', 'redis://127.0.0.1'],
    ['GAME_WORLD_NAME', '../world'],
    ['GAME_WORLD_NAME', 'x'.repeat(65)],
    ['GAME_WORLD_NAME', 'default,'],
    ['GAME_WORLD_NAME', ',default'],
    ['GAME_WORLD_NAME', 'default,../world'],
    ['GAME_WORLD_NAME', 'default,arena,default'],
    ['WORLD_STANDBY', 'yes'],
    ['NODE_URL', 'eu-1.example.org'],
    ['NODE_URL', 'https://me:secret@eu-1.example.org'],
    ['NODE_INTERNAL_URL', 'redis://10.0.0.7'],
    ['DRAIN_LIMIT_MS', '10s'],
    ['REDIS_PATIENCE_MS', '0'],
    ['STORAGE', 'dynamo'],
    ['LOG_LEVEL', 'loud'],
    ['ALLOW_PASSWORDLESS', '1'],
    ['ALLOW_PASSWORDLESS', 'TRUE'],
    ['SHUTDOWN_DELAY_MS', '-1'],
    ['SHUTDOWN_DELAY_MS', '1s'],
  ])('refuses %s=%s, naming only the variable', (name, value) => {
    const refusal = refusalOf({ [name]: value })
    expect(refusal.kind).toBe('invalid')
    expect(namesOf(refusal)).toEqual([name])
    expect(refusal.publicDetail).toContain(`${name}: `)
  })

  it('names every fault at once', () => {
    const refusal = refusalOf({ PORT: 'x', HOST: '?', BASE_URL: 'y', LOG_LEVEL: 'z' })
    expect(namesOf(refusal)?.sort()).toEqual(['BASE_URL', 'HOST', 'LOG_LEVEL', 'PORT'])
    expect(refusal.publicDetail.split('\n')).toHaveLength(5)
  })

  it.each(['http', 'realtime'] as const)('requires Redis when %s runs alone, and explains the alternative', (role) => {
    const refusal = refusalOf({}, role)
    expect(namesOf(refusal)).toEqual(['REDIS_URL'])
    expect(refusal.publicDetail).toMatch(/redis:\/\/127\.0\.0\.1:6379.*npm start/)
  })

  it.each(['all', 'task'] as const)('needs no Redis as %s', (role) => {
    expect(parseEnvironment({}, role).redisUrl).toBeUndefined()
  })

  it('reports one fault of an invalid Redis address, and never its password', () => {
    for (const REDIS_URL of ['redis://:hunter2@a b', 'http://:hunter2@127.0.0.1']) {
      const refusal = refusalOf({ REDIS_URL }, 'http')
      expect(namesOf(refusal)).toEqual(['REDIS_URL'])
      expect(refusal.publicDetail).not.toContain('hunter2')
    }
  })
})

describe('isLoopback', () => {
  it.each([
    ['localhost', true],
    ['127.0.0.1', true],
    ['127.255.0.3', true],
    ['::1', true],
    ['0.0.0.0', false],
    ['::', false],
    ['10.0.0.1', false],
    ['128.0.0.1', false],
    ['127.example.org', false],
    ['127.0.0.1.example.org', false],
    ['localhost.example.org', false],
    ['', false],
  ])('returns for %j: %s', (host, loopback) => {
    expect(isLoopback(host)).toBe(loopback)
  })

  it.each([
    'redis://127.0.0.1:6379',
    'unix:///run/redis.sock',
    'redis+cluster://10.0.0.1:6379,10.0.0.2:6379',
    'redis+sentinel://10.0.0.1:26379,10.0.0.2:26379/main',
  ])('accepts %s as REDIS_URL', (REDIS_URL) => {
    expect(parseEnvironment({ REDIS_URL }, 'http').redisUrl).toBe(REDIS_URL)
  })
})
