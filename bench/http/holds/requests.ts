import { allRoutes } from '../../../functions/all-routes.ts'
import { bodyBytesDefault } from '../../../functions/http/body-sizes.ts'
import type { Route } from '../../../functions/http/route.ts'
import type { HoldCase } from './hold-case.ts'
import { hostileBodies } from './hostile-bodies.ts'
import { configBytes } from './large-texts.ts'
import { legalRequests } from './legal-requests.ts'
import { pathOf } from './path-of.ts'
import { oneRequest, person, type Stage } from './stage.ts'
import type { Things } from './things.ts'

const json = { 'content-type': 'application/json' }

const listsOf = ({ body }: Route): readonly string[] =>
  Object.entries<{ readonly type?: string }>(body?.properties ?? {})
    .filter(([, { type }]) => type === 'array')
    .map(([key]) => key)

/** Each route with a JSON body, with every body that is expensive to refuse. */
const illegalBodies = (things: Things): readonly HoldCase[] =>
  allRoutes
    .filter(({ body, bodyMediaTypes }) => body !== undefined && bodyMediaTypes === undefined)
    .flatMap((route) =>
      hostileBodies(route.bodyBytesMax ?? bodyBytesDefault, listsOf(route)).map(([what, body]) => ({
        name: `${route.method.toUpperCase()} ${route.path}: ${what}`,
        method: route.method.toUpperCase(),
        path: pathOf(route, things),
        headers: json,
        body,
      })),
    )

const isWrite = ({ method }: Route): boolean => method !== 'get'

/** Each read-only route, with its largest answer. */
const reads = (things: Things): readonly HoldCase[] =>
  allRoutes
    .filter((route) => !isWrite(route))
    .map((route) => ({ name: `GET ${route.path}`, method: 'GET', path: pathOf(route, things) }))

const box = 'minX=-512&minY=0&minZ=-512&maxX=511&maxY=255&maxZ=511'

const queries: readonly HoldCase[] = [
  ['GET /api/admin/users: 200 of all', '/api/admin/users?limit=200'],
  ['GET /api/admin/users: nobody found', '/api/admin/users?limit=200&q=nobody-at-all'],
  ['GET /api/admin/users: many found', '/api/admin/users?limit=200&q=user'],
  ['GET /api/admin/audit: 200', '/api/admin/audit?limit=200'],
  ['GET /api/admin/audit: 200 of one request', `/api/admin/audit?limit=200&requestId=${oneRequest}`],
  ['GET /api/admin/audit: nobody found', '/api/admin/audit?limit=200&actor=nobody@example.com'],
  ['GET /api/admin/explain: of a player', `/api/admin/explain?email=${person}&permission=world.build&world=default&x=0&y=50&z=0`],
  ['GET /api/admin/worlds/:world/history: 200 of a box', `/api/admin/worlds/default/history?limit=200&${box}`],
  ['GET /api/admin/worlds/:world/history: nobody found', `/api/admin/worlds/default/history?limit=200&by=nobody&${box}`],
  ['GET /auth/callback: an unknown state', '/auth/callback?state=x&code=y'],
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

const isOfConfigs = ({ path }: Route): boolean => path.includes('/configs') || path === '/api/admin/reload'

/**
 * Every route with its worst valid and invalid requests; throws for a route without a case. Kicks come after all cases with the
 * player, and configs after all cases with the groups. The cases that show them follow once more.
 */
export const holdRequests = (stage: Stage, things: Things): readonly HoldCase[] => {
  const writes = allRoutes.filter((route) => isWrite(route) && !isOfConfigs(route))
  const kicks = writes.filter(({ path }) => path.endsWith('/kick'))
  const configs = allRoutes.filter((route) => isWrite(route) && isOfConfigs(route))
  return [
    ...illegalBodies(things),
    ...heads(stage),
    ...queries,
    ...reads(things),
    ...legalRequests(stage, things, [...writes.filter((route) => !kicks.includes(route)), ...kicks]),
    ...legalRequests(stage, things, configs),
    ...reads(things)
      .filter(({ path }) => /groups|configs\/|revisions/.test(path))
      .map((read) => ({ ...read, name: `${read.name} of 1 MiB` })),
  ]
}
