import type { Route } from '../../../functions/http/route.ts'
import type { HoldCase } from './hold-case.ts'
import { configBytes, legalGroups, tooManyGroups } from './large-texts.ts'
import { pathOf } from './path-of.ts'
import { password, person, type Stage } from './stage.ts'
import type { Things } from './things.ts'

/** The request of one iteration: by default to the route's own path, with the administrator's token and no body. */
type Sent = {
  readonly path?: string
  readonly query?: string
  readonly token?: string
  readonly body?: string | object
}

type LegalCase = {
  /** The difference from the route's other cases. */
  readonly what?: string
  readonly yaml?: boolean
  readonly make: (turn: number) => Sent | Promise<Sent>
}

type CasesByRoute = Readonly<Record<string, readonly LegalCase[]>>

const json = { 'content-type': 'application/json' }
const yaml = { 'content-type': 'application/yaml' }
const dryRun = 'dryRun=true'
const groups = ['player']
const until = '2099-01-01T00:00:00.000Z'
const since = '2026-01-01T00:00:00.000Z'
const box = { minX: -512, minY: 0, minZ: -512, maxX: 511, maxY: 255, maxZ: 511 }
const plane = { enabled: true, flipped: false, pos: 1 }
const shortcutBarPages = Array(10).fill(Array(10).fill('stone'))

const one = (make: LegalCase['make']): readonly LegalCase[] => [{ make }]
const none = one(() => ({}))
const newEmail = (turn: number): string => `bench-${turn}-${Date.now()}@example.com`
/** Characters outside the basic plane, which are the slowest for JSON and for counting. */
const long = (length: number): string => '\u{1f600}'.repeat(length / 2)

/** Creates a thing, unmeasured, that the request deletes. */
const takeAway = (stage: Stage, path: string, body: object): readonly LegalCase[] =>
  one(async () => ({ path: `${path}/${await stage.make(path, body)}` }))

const authCases = (stage: Stage, { values }: Things): CasesByRoute => {
  const createResetCode = async (): Promise<string> => {
    const response = await stage.send('POST', `/api/admin/users/${values.email}/reset-link`)
    const { code }: { code: string } = JSON.parse(await response.text())
    return code
  }
  const withOwnToken = async (): Promise<Sent> => ({ token: await stage.signInAs(person) })
  return {
    'post /auth/login': one(() => ({ body: { email: person, password } })),
    'post /auth/renew': one(withOwnToken),
    'post /auth/logout': one(withOwnToken),
    'post /auth/password': one(async () => ({ ...(await withOwnToken()), body: { current: password, next: password } })),
    'post /auth/register': one((turn) => ({ body: { email: newEmail(turn), password: 'p'.repeat(72) } })),
    'post /auth/reset': one(async () => ({ body: { code: await createResetCode(), password } })),
    'post /auth/claim': one(() => ({ body: { claim: 'c'.repeat(43), email: person, password } })),
  }
}

const accountCases = (stage: Stage, { values }: Things): CasesByRoute => ({
  'post /api/admin/users': one((turn) => ({ body: { email: newEmail(turn), password: 'p'.repeat(72), groups } })),
  'put /api/admin/users/:email': one((turn) => ({ body: { displayName: `User ${turn} of the bench`, groups } })),
  'delete /api/admin/users/:email': one(async (turn) => {
    const email = newEmail(turn)
    await stage.send('POST', '/api/admin/users', { email, password })
    return { path: `/api/admin/users/${encodeURIComponent(email)}` }
  }),
  'post /api/admin/users/:email/grants': one(() => ({ body: { group: 'player', until, reason: long(500) } })),
  'delete /api/admin/users/:email/grants/:id': takeAway(stage, `/api/admin/users/${values.email}/grants`, {
    group: 'player',
    until,
  }),
  'post /api/admin/users/:email/reset-link': none,
  'post /api/admin/invitations': one(() => ({ body: { groups, note: long(500) } })),
  'delete /api/admin/invitations/:id': takeAway(stage, '/api/admin/invitations', {}),
  'post /api/admin/sanctions': one(() => ({
    body: { kind: 'warning', email: person, reason: long(500), note: long(2000), until },
  })),
  'delete /api/admin/sanctions/:id': takeAway(stage, '/api/admin/sanctions', {
    kind: 'warning',
    email: person,
    reason: 'x',
    until,
  }),
  'put /api/admin/reports/:id': one(() => ({ body: { state: 'closed', note: long(2000) } })),
  'post /api/admin/audit/:id/undo': one(() => ({ query: dryRun })),
})

const liveCases = (things: Things): CasesByRoute => ({
  'post /api/admin/players/:playerId/message': one(() => ({ body: { text: long(500) } })),
  'post /api/admin/players/:playerId/teleport': one((turn) => ({ body: { x: 20_000 * turn, y: 100, z: 0 } })),
  'post /api/admin/players/:playerId/kick': one(async () => {
    await things.comeIn()
    return { body: { reason: long(500) } }
  }),
  'post /api/admin/announcements': one(() => ({ body: { text: long(500) } })),
})

const worldCases = (stage: Stage): CasesByRoute => ({
  'delete /api/admin/jobs/:id': one(async () => ({
    path: `/api/admin/jobs/${await stage.make('/api/admin/worlds/default/pregen', { radius: 1000 })}`,
  })),
  'post /api/admin/backups': none,
  'post /api/admin/worlds': one((turn) => ({ body: { name: `w${turn}-${Date.now()}`, seed: long(1000) } })),
  'post /api/admin/worlds/:world/pregen': one(() => ({ body: { radius: 32 } })),
  'post /api/admin/worlds/:world/rollback': [
    { what: 'of a box', make: () => ({ body: { box, since, dryRun: true } }) },
    { what: 'of the largest zone', make: () => ({ body: { zone: stage.zoneId, since, dryRun: true } }) },
  ],
})

const zoneCases = (stage: Stage, { values }: Things): CasesByRoute => {
  const { chunks } = stage
  const small = { name: 'Small', yMin: 250, yMax: 255, chunks: chunks.slice(0, 1) }
  return {
    'post /api/admin/instances': [
      { what: 'that overlaps', make: () => ({ body: { name: 'Other', yMin: 0, yMax: 100, chunks } }) },
      {
        what: 'of 4,096 columns',
        make: (turn) => ({ body: { name: 'High', yMin: 202 + 2 * turn, yMax: 203 + 2 * turn, chunks } }),
      },
    ],
    'delete /api/admin/instances/:id': takeAway(stage, '/api/admin/instances', small),
    'put /api/admin/instances/:id': one((turn) => ({ body: { name: `Large, turn ${turn}` } })),
    'put /api/admin/instances/:id/bounds': one((turn) => ({ body: { yMin: 0, yMax: 99 - turn } })),
    'put /api/admin/instances/:id/chunks': [
      { what: 'one less and one more', make: (turn) => ({ body: { chunks: turn % 2 === 0 ? chunks.slice(1) : chunks } }) },
      {
        what: 'that are not generated',
        make: () => ({ body: { chunks: chunks.map(({ cx, cz }) => ({ cx: cx + 5000, cz })) } }),
      },
      { what: 'one 4,096 times', make: () => ({ body: { chunks: Array(4096).fill({ cx: 0, cz: 0 }) } }) },
    ],
    'put /api/admin/instances/:id/enabled': one((turn) => ({ body: { enabled: turn % 2 === 1 } })),
    'put /api/admin/instances/:id/layout': one(() => ({
      body: { clipPlanes: { x: plane, y: plane, z: plane }, shortcutBarPages },
    })),
    'put /api/admin/instances/:id/rules': one((turn) => ({
      body: {
        build: 'members',
        enter: turn % 2 === 0 ? 'everyone' : 'members',
        greeting: long(200),
        farewell: long(200),
      },
    })),
    'put /api/admin/instances/:id/members': one((turn) => ({ body: stage.playerIds.slice(turn, turn + 200) })),
    'put /api/admin/instances/:id/schedule': one(() => ({
      body: { closesAt: until, expiresAt: until, reset: { snapshot: values.snapshot, every: '52w' } },
    })),
    'post /api/admin/instances/:id/snapshots': one((turn) => ({ body: { name: `Snapshot ${turn}` } })),
    'delete /api/admin/instances/:id/snapshots/:snapshot': takeAway(stage, `/api/admin/instances/${stage.zoneId}/snapshots`, {
      name: 'Gone',
    }),
    'post /api/admin/instances/:id/snapshots/:snapshot/restore': [
      { what: 'counted', make: () => ({ query: dryRun }) },
      { what: 'done', make: () => ({}) },
    ],
  }
}

const configCases = (): CasesByRoute => {
  const tried = (what: string, body: string): LegalCase => ({ what, yaml: true, make: () => ({ body, query: dryRun }) })
  const keys = Array.from({ length: 100_000 }, (_, index) => `k${index}: 1\n`).join('')
  return {
    'put /api/admin/configs/*name': [
      tried('64 KiB, too many groups', tooManyGroups(65_536)),
      tried('256 KiB, too many groups', tooManyGroups(262_144)),
      tried('1 MiB, too many groups', tooManyGroups(configBytes)),
      tried('1 MiB of comments', `groups: []\n${'# x\n'.repeat(262_000)}`),
      tried('1 MiB of keys', keys.slice(0, configBytes)),
      tried('1 MiB of brackets', '['.repeat(configBytes)),
      { what: '1 MiB, tried', yaml: true, make: (turn) => ({ body: legalGroups(turn), query: dryRun }) },
      { what: '1 MiB, saved', yaml: true, make: (turn) => ({ body: legalGroups(turn) }) },
    ],
    'post /api/admin/reload': none,
  }
}

const casesOf = (stage: Stage, things: Things): CasesByRoute => ({
  ...authCases(stage, things),
  ...accountCases(stage, things),
  ...liveCases(things),
  ...worldCases(stage),
  ...zoneCases(stage, things),
  ...configCases(),
})

/** The largest valid requests of each of these routes; throws for a route without one. */
export const legalRequests = (stage: Stage, things: Things, routes: readonly Route[]): readonly HoldCase[] => {
  const cases = casesOf(stage, things)
  return routes.flatMap((route) => {
    const own = cases[`${route.method} ${route.path}`]
    if (own === undefined) throw new Error(`${route.method} ${route.path}: give it a case in legal-requests.ts`)
    const method = route.method.toUpperCase()
    const place = pathOf(route, things)
    return own.map(({ what = 'legal', yaml: isYaml, make }) => ({
      name: `${method} ${route.path}: ${what}`,
      method,
      path: place,
      prepare: async (turn: number) => {
        const { body, query, path = place, token } = await make(turn)
        return {
          path: query === undefined ? path : `${path}?${query}`,
          headers: {
            ...(body !== undefined && (isYaml ? yaml : json)),
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
          },
          ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
        }
      },
    }))
  })
}
