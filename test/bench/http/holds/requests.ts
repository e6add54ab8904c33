import { allRoutes } from '../../../../functions/all-routes.ts'
import { bodyBytesDefault } from '../../../../functions/http/body-sizes.ts'
import type { Route } from '../../../../functions/http/route.ts'
import { hostileBodies } from './hostile-bodies.ts'
import { oneRequest, type Stage } from './stage.ts'

export type HoldCase = {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

const json = { 'content-type': 'application/json' }
const yaml = { 'content-type': 'application/yaml' }
const configBytes = 1_048_576

const listsOf = ({ body }: Route): readonly string[] =>
  Object.entries<{ readonly type?: string }>(body?.properties ?? {})
    .filter(([, { type }]) => type === 'array')
    .map(([key]) => key)

const pathOf = ({ path }: Route, { zoneId }: Stage): string =>
  path
    .replace('*name', 'groups.yaml')
    .replace(':filename', 'groups.schema.json')
    .replace(':email', 'user1%40example.com')
    .replace(/:\w+/, zoneId)

/** Each route that takes JSON, with every body that costs much to refuse. */
const illegalBodies = (stage: Stage): readonly HoldCase[] =>
  allRoutes
    .filter(({ body, bodyMediaTypes }) => body !== undefined && bodyMediaTypes === undefined)
    .flatMap((route) =>
      hostileBodies(route.bodyBytesMax ?? bodyBytesDefault, listsOf(route)).map(([what, body]) => ({
        name: `${route.method.toUpperCase()} ${route.path}: ${what}`,
        method: route.method.toUpperCase(),
        path: pathOf(route, stage),
        headers: json,
        body,
      })),
    )

/** Each route that only reads, with as much as it may answer. */
const reads = (stage: Stage): readonly HoldCase[] =>
  allRoutes
    .filter(({ method, path }) => method === 'get' && !path.includes('/ws/') && !path.startsWith('/auth/'))
    .map((route) => ({ name: `GET ${route.path}`, method: 'GET', path: pathOf(route, stage) }))

const queries: readonly HoldCase[] = [
  ['GET /api/admin/users: 200 of all', '/api/admin/users?limit=200'],
  ['GET /api/admin/users: nobody found', '/api/admin/users?limit=200&q=nobody-at-all'],
  ['GET /api/admin/users: many found', '/api/admin/users?limit=200&q=user'],
  ['GET /api/admin/audit: 200', '/api/admin/audit?limit=200'],
  ['GET /api/admin/audit: 200 of one request', `/api/admin/audit?limit=200&requestId=${oneRequest}`],
  ['GET /api/admin/audit: nobody found', '/api/admin/audit?limit=200&actor=nobody@example.com'],
  ['a query of many keys', `/api/classes?${Array.from({ length: 3000 }, (_, index) => `k${index}`).join('&')}`],
  ['a long query', `/auth/oauth/start?returnUrl=${'%20'.repeat(5000)}`],
  ['a long path', `/api/admin/users/${'a'.repeat(14_000)}`],
  ['a path of slashes', `/api/admin/configs/${'/a'.repeat(7000)}`],
  ['a path of dots', `/api/admin/configs/${'%2e%2e%2f'.repeat(1700)}`],
].map(([name = '', path = '']) => ({ name, method: 'GET', path }))

const heads = ({ zoneId }: Stage): readonly HoldCase[] => {
  const path = `/api/admin/instances/${zoneId}`
  const tags = '"a",'.repeat(3500)
  return [
    { name: 'If-None-Match of thousands', method: 'GET', path, headers: { 'if-none-match': tags } },
    { name: 'If-Match of thousands', method: 'PUT', path, headers: { ...json, 'if-match': tags }, body: '{"name":"x"}' },
    {
      name: 'If-Match of spaces',
      method: 'PUT',
      path,
      headers: { ...json, 'if-match': `"a"${' '.repeat(14_000)}x` },
      body: '{"name":"x"}',
    },
    { name: 'cookies', method: 'GET', path: '/auth/callback?state=x&code=y', headers: { cookie: 'a=b; '.repeat(2800) } },
    { name: 'a long token', method: 'GET', path: '/auth/me', headers: { authorization: `Bearer ${'a'.repeat(14_000)}` } },
    {
      name: 'many headers',
      method: 'GET',
      path: '/healthz',
      headers: Object.fromEntries(Array.from({ length: 900 }, (_, index) => [`x-${index}`, 'a'])),
    },
    {
      name: '1 MiB without a token',
      method: 'POST',
      path: '/api/admin/worlds',
      headers: { ...json, authorization: 'none' },
      body: ' '.repeat(configBytes),
    },
    { name: '1 MiB for a sign-in', method: 'POST', path: '/auth/login', headers: json, body: ' '.repeat(configBytes) },
  ]
}

const groupsOf = (bytes: number): string => {
  const lines = ['groups:', '- name: player', '  permissions: [world.build]']
  let length = 60
  for (let index = 0; length < bytes - 200; index += 1) {
    const line = `- name: group${index}\n  permissions: [command.say]`
    lines.push(line)
    length += line.length + 1
  }
  return `${lines.join('\n')}\n`
}

const legal = ({ zoneId, chunks }: Stage): readonly HoldCase[] => {
  const zone = `/api/admin/instances/${zoneId}`
  const config = '/api/admin/configs/groups.yaml'
  const plane = { enabled: true, flipped: false, pos: 1 }
  const layout = {
    clipPlanes: { x: plane, y: plane, z: plane },
    shortcutBarPages: Array(10).fill(Array(10).fill('s'.repeat(64))),
  }
  const put = (path: string, body: object): HoldCase => ({
    name: `PUT ${path}, legal`,
    method: 'PUT',
    path,
    headers: json,
    body: JSON.stringify(body),
  })
  const save = (name: string, body: string): HoldCase => ({
    name,
    method: 'PUT',
    path: `${config}?dryRun=true`,
    headers: yaml,
    body,
  })
  return [
    put(`${zone}/chunks`, { chunks }),
    {
      ...put(`${zone}/chunks`, { chunks: chunks.map(({ cx, cz }) => ({ cx: cx + 5000, cz })) }),
      name: 'columns that are not generated',
    },
    {
      ...put('/api/admin/instances', { name: 'Other', yMin: 0, yMax: 100, chunks }),
      method: 'POST',
      name: 'a zone that overlaps',
    },
    { ...put(`${zone}/chunks`, { chunks: Array(4096).fill({ cx: 0, cz: 0 }) }), name: 'one column 4,096 times' },
    put(`${zone}/layout`, layout),
    put(`${zone}/enabled`, { enabled: true }),
    put(zone, { name: 'Large' }),
    put('/api/admin/users/user1%40example.com', { displayName: 'User One', groups: ['player'] }),
    save('a config of 64 KiB', groupsOf(65_536)),
    save('a config of 256 KiB', groupsOf(262_144)),
    save('a config of 1 MiB', groupsOf(configBytes)),
    save('a config of 1 MiB of comments', `groups: []\n${'# x\n'.repeat(262_000)}`),
    save(
      'a config of 1 MiB of keys',
      Array.from({ length: 100_000 }, (_, index) => `k${index}: 1\n`)
        .join('')
        .slice(0, configBytes),
    ),
    save('a config of 1 MiB of brackets', '['.repeat(configBytes)),
  ]
}

/** Every route with its worst legal and illegal requests. */
export const holdRequests = (stage: Stage): readonly HoldCase[] => [
  ...illegalBodies(stage),
  ...heads(stage),
  ...queries,
  ...reads(stage),
  ...legal(stage),
]
