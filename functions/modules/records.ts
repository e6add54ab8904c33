import { Type } from '@sinclair/typebox'
import type { FoundValue, ModuleValue } from '../../shared/domain/modules/admin/module-data-admin.ts'
import { listModules } from '../../shared/domain/modules/admin/module-report.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { PageQuery, pageLimitDefault } from '../accounts/users.ts'
import type { HttpDeps } from '../deps.ts'
import { noContent, ok, route } from '../http/route.ts'
import { ModuleParams, PlayerDataParams, RecordName, RecordParams } from './module-inputs.ts'

/** 64 KiB of data and the braces around it. */
const bodyBytes = 66_560

const AnyValue = Type.Unknown({
  description: 'Any JSON value that fits the declaration of the module, at most 64 KiB.',
  examples: [{ coins: 10 }],
})
const Version = Type.Integer({ minimum: 1, description: 'The version of the declaration that the data is of.' })

const ListedRecord = ClosedObject({
  record: Type.String({ description: 'The kind of record.' }),
  id: Type.String(),
  value: AnyValue,
  version: Type.String({ description: 'Changes with each write. It is the entity tag of the record.' }),
})

const RecordView = ClosedObject({ value: AnyValue, version: Version })
const PlayerDataView = ClosedObject({ data: AnyValue, version: Version })

const SetAsideView = ClosedObject({
  of: Type.Union([Type.Literal('player'), Type.Literal('record'), Type.Literal('state')], {
    description: 'Whether it was the data of a player, a record, or the state of a world.',
  }),
  record: Type.Optional(Type.String({ description: 'The kind of record.' })),
  id: Type.String({ description: 'The playerId, the id of the record, or the id of the world.' }),
  at: Type.String({ format: 'date-time', description: 'When it was set aside.' }),
  fault: Type.String({
    description: 'Why it could not be read.',
    examples: ['version 1 does not fit: /coins must be a whole number'],
  }),
  version: Version,
  value: Type.Unknown({ description: 'The value as it was stored.', examples: [{ coins: 'ten' }] }),
})

const notFound = (what: string): AppError => new AppError('not-found', 'not-found', what)

const recordOf = ({
  name,
  record,
  id,
}: {
  readonly name: string
  readonly record: string
  readonly id: string
}): ModuleValue => ({
  module: name,
  record,
  id,
})

const okRecord = ({ value, version, etag }: FoundValue) => ok({ value, version }, etag)

/** Throws AppError `not-found` for an unknown module: no node reports it, `modules.yaml` does not name it, and no record is stored. */
const expectModule = async (
  { configs, nodeReports, moduleData }: Pick<HttpDeps, 'configs' | 'nodeReports' | 'moduleData'>,
  name: string,
): Promise<void> => {
  if (configs.get('modules.yaml').modules[name] !== undefined) return
  if ((await listModules(nodeReports)).some((module) => module.name === name)) return
  if ((await moduleData.listRecords(name, { limit: 1 })).records.length > 0) return
  throw new AppError('not-found', 'not-found', `There is no module "${name}". GET /api/admin/modules lists them.`)
}

/** Lists stored records of a module, a page at a time. */
export const listModuleRecords = route({
  method: 'get',
  path: '/api/admin/modules/:name/records',
  permission: 'admin.modules.read',
  operationId: 'listModuleRecords',
  summary: 'The stored records of a module as they are stored, by kind and id, a page at a time.',
  params: ModuleParams,
  query: ClosedObject({
    ...PageQuery,
    record: Type.Optional(RecordName),
    prefix: Type.Optional(
      Type.String({ minLength: 1, maxLength: 256, description: 'Only ids that begin with it. Needs `record`.' }),
    ),
  }),
  responses: {
    200: ClosedObject({
      records: Type.Array(ListedRecord, { description: 'By kind and id.' }),
      nextCursor: Type.Optional(Type.String()),
    }),
  },
  problems: ['not-found'],
  handle: async (deps, { params, query: { limit = pageLimitDefault, ...query } }) => {
    await expectModule(deps, params.name)
    if (query.prefix !== undefined && query.record === undefined)
      throw new AppError('invalid', 'bad-request', 'The query is not valid.', {
        errors: [{ pointer: '/prefix', message: 'needs `record`' }],
      })
    return ok(await deps.moduleData.listRecords(params.name, { limit, ...query }))
  },
})

/** Lists values that the schemas of a module could not read. */
export const listModuleSetAside = route({
  method: 'get',
  path: '/api/admin/modules/:name/set-aside',
  permission: 'admin.modules.read',
  operationId: 'listModuleSetAside',
  summary:
    'Stored values that the schemas of a module could not read, with the reason, a page at a time. A load whose schema reads them restores them.',
  params: ModuleParams,
  query: ClosedObject({ ...PageQuery }),
  responses: {
    200: ClosedObject({
      values: Type.Array(SetAsideView, { description: 'Data of players, then records and states of worlds, each by id.' }),
      nextCursor: Type.Optional(Type.String()),
    }),
  },
  problems: ['not-found'],
  handle: async (deps, { params, query: { limit = pageLimitDefault, cursor } }) => {
    const page = await deps.moduleData.listSetAside(params.name, { limit, cursor })
    if (page.values.length === 0) await expectModule(deps, params.name)
    return ok(page)
  },
})

export const getModuleRecord = route({
  method: 'get',
  path: '/api/admin/modules/:name/records/:record/*id',
  permission: 'admin.modules.read',
  operationId: 'getModuleRecord',
  hasEtag: true,
  summary: 'One stored record of a module, as it is stored.',
  params: RecordParams,
  responses: { 200: RecordView },
  problems: ['not-found'],
  handle: async ({ moduleData }, { params }) => {
    const found = await moduleData.find(recordOf(params))
    if (found === undefined) throw notFound('The module has no such record.')
    return okRecord(found)
  },
})

export const putModuleRecord = route({
  method: 'put',
  path: '/api/admin/modules/:name/records/:record/*id',
  permission: 'admin.modules.write',
  operationId: 'putModuleRecord',
  hasEtag: true,
  summary: 'Write a record of a module. The running module checks it against its declaration. Can be undone from the audit log.',
  params: RecordParams,
  body: ClosedObject({ value: AnyValue }),
  bodyBytesMax: bodyBytes,
  responses: { 200: RecordView },
  problems: ['not-found', 'stale', 'rule-broken', 'record-too-large'],
  handle: async (deps, { params, body, actor, request }) => {
    await expectModule(deps, params.name)
    return okRecord(await deps.moduleData.put(actor, recordOf(params), body.value, { ifEtag: request.ifMatch }))
  },
})

export const deleteModuleRecord = route({
  method: 'delete',
  path: '/api/admin/modules/:name/records/:record/*id',
  permission: 'admin.modules.write',
  operationId: 'deleteModuleRecord',
  summary: 'Delete a record of a module. Can be undone from the audit log.',
  params: RecordParams,
  responses: { 204: 'Deleted.' },
  problems: ['not-found', 'stale'],
  handle: async ({ moduleData }, { params, actor, request }) => {
    await moduleData.delete(actor, recordOf(params), { ifEtag: request.ifMatch })
    return noContent
  },
})

export const getModulePlayerData = route({
  method: 'get',
  path: '/api/admin/modules/:name/players/:playerId',
  permission: 'admin.modules.read',
  operationId: 'getModulePlayerData',
  summary: 'The data of a module for one player. For a connected player it is the current value, even if it is not stored yet.',
  params: PlayerDataParams,
  responses: { 200: PlayerDataView },
  problems: ['not-found'],
  handle: async ({ moduleData }, { params: { name, playerId } }) => {
    const found = await moduleData.find({ module: name, playerId })
    if (found === undefined) throw notFound('The module has no data of this player.')
    return ok({ data: found.value, version: found.version })
  },
})

export const putModulePlayerData = route({
  method: 'put',
  path: '/api/admin/modules/:name/players/:playerId',
  permission: 'admin.modules.write',
  operationId: 'putModulePlayerData',
  summary:
    'Replace the data of a module for one player. A connected player has it at once. The running module checks it. Can be undone from the audit log.',
  params: PlayerDataParams,
  body: ClosedObject({ data: AnyValue }),
  bodyBytesMax: bodyBytes,
  responses: { 200: PlayerDataView },
  problems: ['not-found', 'rule-broken', 'record-too-large', 'stale'],
  handle: async (deps, { params: { name, playerId }, body, actor }) => {
    await expectModule(deps, name)
    const { value, version } = await deps.moduleData.put(actor, { module: name, playerId }, body.data)
    return ok({ data: value, version })
  },
})

export const deleteModulePlayerData = route({
  method: 'delete',
  path: '/api/admin/modules/:name/players/:playerId',
  permission: 'admin.modules.write',
  operationId: 'deleteModulePlayerData',
  summary:
    'Delete the data of a module for one player. A connected player has the defaults at once. Can be undone from the audit log.',
  params: PlayerDataParams,
  responses: { 204: 'Deleted.' },
  problems: ['not-found', 'stale'],
  handle: async ({ moduleData }, { params: { name, playerId }, actor }) => {
    await moduleData.delete(actor, { module: name, playerId })
    return noContent
  },
})
