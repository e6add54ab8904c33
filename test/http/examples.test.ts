import { expect, it } from '@jest/globals'
import { allRoutes } from '../../functions/all-routes.ts'
import type { Openapi, Operation } from '../../functions/http/openapi/openapi.ts'
import { openZoneDoor } from '../support/zones/zone-door.ts'
import { zoneEditor } from '../support/zones/zone-fixture.ts'
import { doors, type OpenDoor } from './doors.ts'

const groups = {
  groups: [
    { name: 'player', permissions: ['world.build'] },
    { name: 'builder', permissions: ['zone.build'] },
  ],
  defaultGroups: ['player'],
}
/** The id in the examples. */
const exampleId = '0192f0a4-6b1d-7c3e-9a55-2f8d4c1e7b60'

/**
 * The problems of this server and not of the example: an unknown code, an offline player, storage without files. Every
 * other example is accepted.
 */
const byState: Readonly<Record<string, string>> = {
  changeOwnPassword: 'wrong-password',
  registerAccount: 'registration-closed',
  resetPassword: 'invalid-reset-link',
  claimServer: 'already-claimed',
  // The example of a sign-in made the account.
  createAccount: 'already-exists',
  kickPlayer: 'not-found',
  messagePlayer: 'not-found',
  teleportPlayer: 'not-found',
  reloadModule: 'service-unavailable',
  sendModuleMessage: 'service-unavailable',
  renameWorld: 'managed-elsewhere',
  restoreWorld: 'managed-elsewhere',
  importWorld: 'managed-elsewhere',
}

type Example = {
  readonly operation: Operation
  readonly method: string
  readonly path: string
  readonly type: string
  readonly body: unknown
}

const listExamples = ({ paths }: Openapi): readonly Example[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      Object.entries(operation.requestBody?.content ?? {}).map(([type, { example }]) => ({
        operation,
        method,
        path,
        type,
        body: example,
      })),
    ),
  )

/** A server with everything that examples name, so that only an impossible example is refused. */
const openExamples = async (open: (typeof doors)[0][1], startMs: number) => {
  const opened = await openZoneDoor(open, {
    routes: allRoutes,
    startMs,
    configs: { groups, modules: { modules: { shop: {} } } },
  })
  const zone = (await opened.addZone({ world: 'north' })).zone.id
  const report = (
    await opened.deps.reports.file(zoneEditor, {
      text: 'Takes my sheep.',
      place: { world: 'default', x: 0, y: 64, z: 0 },
      lastChat: [],
    })
  ).id
  const ids: Readonly<Record<string, string>> = { email: 'player@example.com', world: 'default', name: 'shop', report, zone }
  const addressOf = ({ path, operation }: Example): string =>
    path.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => {
      if (path.includes('/configs/')) return 'groups.yaml'
      // A merge deletes the account.
      if (path.endsWith('/merge')) return 'carl@example.com'
      if (path.endsWith('/rollback')) return 'north'
      if (name === 'id') return path.includes('/reports/') ? report : path.includes('/records/') ? '2026/1' : zone
      const [sample] = (operation.parameters.find((one) => one.name === name)?.schema.examples as string[] | undefined) ?? []
      return ids[name] ?? sample ?? exampleId
    })
  return { ...opened, addressOf, zone }
}

const send = (
  {
    request,
    zone,
    addressOf,
  }: Pick<OpenDoor, 'request'> & { readonly zone: string; readonly addressOf: (example: Example) => string },
  example: Example,
  playerId: string,
) => {
  const text = typeof example.body === 'string' ? example.body : JSON.stringify(example.body)
  // Ids in examples are those of an account or a zone on the reader's server.
  const known = text.replaceAll(exampleId, example.path.endsWith('/rollback') ? zone : playerId)
  return request(example.method.toUpperCase(), addressOf(example), { headers: { 'content-type': example.type }, rawBody: known })
}

it.each(doors.flatMap(([, open]) => [2026, 2040].map((year) => ({ year, open }))))(
  'accepts every example of a request, or refuses it for the state of the server, in $year',
  async ({ year, open }) => {
    const opened = await openExamples(open, Date.UTC(year, 10, 28))
    const examples = listExamples((await opened.get('/api/openapi.json')).body)
    expect(examples.length).toBeGreaterThan(35)
    const playerId = await opened.addAccount('bob')
    await opened.addAccount('carl')
    const known = new Set(examples.map(({ operation }) => operation.operationId))
    expect(Object.keys(byState).filter((id) => !known.has(id))).toEqual([])
    const refused: unknown[] = []
    for (const example of examples) {
      if (example.body === undefined) continue
      const { status, body } = await send(opened, example, playerId)
      const problem = status < 400 ? undefined : String(body.type).replace('/problems/', '')
      if (problem !== byState[example.operation.operationId])
        refused.push([example.operation.operationId, example.path, status, JSON.stringify(example.body), JSON.stringify(body)])
    }
    expect(refused).toEqual([])
  },
)
