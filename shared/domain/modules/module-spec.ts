import { type Static, type TSchema, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../kernel/closed-object.ts'
import { unknownKeyMessage } from '../../kernel/describe-fault.ts'
import type { Fault } from '../../kernel/errors.ts'
import { createParser } from '../../kernel/schema.ts'
import { moduleNamePattern } from './modules-config.ts'
import { describeUnknownPermission } from './unknown-permission.ts'

/** A function of a module. The host checks its result. */
export type ModuleFunction = (...inputs: readonly unknown[]) => unknown

/** What a module may decide about. */
export const decideNames = ['join', 'chat', 'command', 'edit', 'move'] as const
export type DecideName = (typeof decideNames)[number]

/** The events that a module may handle. */
export const eventNames = [
  ...(['start', 'stop', 'tick', 'joined', 'left', 'said', 'edited', 'zoneEntered', 'zoneLeft'] as const),
  ...(['settingsChanged', 'configsChanged', 'event'] as const),
]
export type EventName = (typeof eventNames)[number]

/** A JSON Schema that a module declares. */
const Schema = Type.Unsafe<TSchema>(Type.Object({}))
const Word = Type.String({ pattern: '^[a-zA-Z][a-zA-Z0-9_-]{0,63}$' })
const Text = Type.String({ minLength: 1, maxLength: 512 })
const permissionPattern = '[a-z0-9_-]+(\\.[a-z0-9_-]+)+'
const Permission = Type.String({
  pattern: `^${permissionPattern}$`,
  maxLength: 128,
  description: 'the full name of a permission, for example `module.shop.buy`',
})
const CommandPermission = Type.String({
  pattern: `^(none|${permissionPattern})$`,
  maxLength: 128,
  description: '`none`, or the full name of a permission, for example `module.shop.buy`',
})

const MessageDeclaration = ClosedObject({
  params: Schema,
  reply: Type.Optional(Schema),
  cost: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
  permission: Type.Optional(Permission),
  http: Type.Optional(Type.Boolean()),
  description: Type.Optional(Text),
})
export type MessageDeclaration = Static<typeof MessageDeclaration>

const StoredDeclaration = ClosedObject({
  schema: Schema,
  version: Type.Optional(Type.Integer({ minimum: 1 })),
  migrate: Type.Optional(Type.Array(Type.Unknown())),
})

/** The data of a module, as its `declare` has it. */
export const Declarations = ClosedObject({
  settings: Type.Optional(Schema),
  messages: Type.Optional(Type.Record(Word, MessageDeclaration)),
  pushes: Type.Optional(Type.Record(Word, Schema)),
  records: Type.Optional(Type.Record(Word, StoredDeclaration)),
  player: Type.Optional(StoredDeclaration),
  state: Type.Optional(Type.Union([StoredDeclaration, Schema])),
  /** The permissions that the module checks, by full name, with their description. */
  permissions: Type.Optional(Type.Record(Permission, Text)),
})
export type Declarations = Static<typeof Declarations>

const argumentKinds = ['word', 'text', 'number', 'player', 'duration', 'coordinate'] as const
const CommandArgument = ClosedObject({
  name: Word,
  kind: Type.Union(argumentKinds.map((kind) => Type.Literal(kind))),
  optional: Type.Optional(Type.Boolean()),
})

const CommandDeclaration = ClosedObject({
  description: Text,
  forms: Type.Array(Type.Array(CommandArgument), { minItems: 1 }),
  permission: CommandPermission,
  privileged: Type.Optional(Type.Boolean()),
})
export type CommandDeclaration = Static<typeof CommandDeclaration>

/** The parts of a module that are data. */
const ModuleData = ClosedObject({
  name: Type.String({ pattern: moduleNamePattern, description: 'must be lower-case letters, digits and dashes' }),
  api: Type.Literal(1),
  version: Type.Optional(Type.String({ maxLength: 64 })),
  needs: Type.Optional(Type.Array(Text)),
  after: Type.Optional(Type.Array(Text)),
  declare: Type.Optional(Declarations),
  commands: Type.Optional(Type.Record(Type.String({ pattern: '^[a-z][a-z0-9-]{0,31}$' }), CommandDeclaration)),
  schedules: Type.Optional(Type.Record(Word, ClosedObject({ cron: Text }))),
  budget: Type.Optional(
    ClosedObject({ tickMs: Type.Optional(Type.Number({ minimum: 0 })), keep: Type.Optional(Type.Boolean()) }),
  ),
})

/** A module that was read and checked: its declarations, and its functions by name. */
export type LoadedSpec = {
  readonly name: string
  readonly version: string | undefined
  readonly needs: readonly string[]
  readonly after: readonly string[]
  readonly declare: Declarations
  readonly tickMs: number | undefined
  /** It stays on when it is slow for long. */
  readonly isKept: boolean
  readonly decide: ReadonlyMap<DecideName, ModuleFunction>
  readonly on: ReadonlyMap<EventName, ModuleFunction>
  readonly receive: ReadonlyMap<string, ModuleFunction>
  readonly commands: ReadonlyMap<string, { readonly declaration: CommandDeclaration; readonly run: ModuleFunction }>
  readonly schedules: ReadonlyMap<string, { readonly cron: string; readonly run: ModuleFunction }>
}

type ReadSpec = { readonly ok: true; readonly spec: LoadedSpec } | { readonly ok: false; readonly faults: readonly Fault[] }

const parseData = createParser(ModuleData)

/** The keys of a definition, and of `declare` in it. */
const keysOfDefinition = ['name', 'api', 'version', 'needs', 'after', 'declare', 'decide', 'on', 'receive'].concat([
  'commands',
  'schedules',
  'budget',
])
const keysOfDeclare = Object.keys(Declarations.properties)

/** Lists the keys for one that does not exist. */
const withKeys = (fault: Fault): Fault => {
  const [, inDeclare, key] = /^(\/declare)?\/([^/]+)$/.exec(fault.pointer ?? '') ?? []
  if (key === undefined || fault.message !== unknownKeyMessage) return fault
  const keys = inDeclare === undefined ? keysOfDefinition : keysOfDeclare
  return { ...fault, message: `is not known. Use one of: ${keys.join(', ')}` }
}

const isFunction = (value: unknown): value is ModuleFunction => typeof value === 'function'
/** Functions of other realms have the same tags. */
const isPlainFunction = (value: unknown): value is ModuleFunction =>
  isFunction(value) && Object.prototype.toString.call(value) === '[object Function]'
const describeNoFunction = (value: unknown): string => {
  if (!isFunction(value)) return 'must be a function'
  return Object.prototype.toString.call(value).includes('Async')
    ? 'must not be async, because a tick cannot wait. Remove `async`, and put work that takes time into `game.later(work, then)`'
    : 'must not be a generator. Use a function, and `game.job` for work in steps'
}
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const isOneOf = <N extends string>(names: readonly N[], name: string): name is N => names.some((known) => known === name)

/** The data in JSON, without functions and symbols. */
const plainOf = (value: unknown): unknown => JSON.parse(JSON.stringify(value) ?? 'null')

const without = (spec: Readonly<Record<string, unknown>>, keys: readonly string[]): Record<string, unknown> =>
  Object.fromEntries(Object.entries(spec).filter(([key, value]) => value !== undefined && !keys.includes(key)))

/** The permissions that commands and messages need, with their places. */
const permissionPlaces = (
  { messages = {} }: Declarations,
  commands: Readonly<Record<string, CommandDeclaration>>,
): readonly (readonly [pointer: string, permission: string])[] => [
  ...Object.entries(commands)
    .filter(([, { permission }]) => permission !== 'none')
    .map(([command, { permission }]) => [`/commands/${command}/permission`, permission] as const),
  ...Object.entries(messages).flatMap(([message, { permission }]) =>
    permission === undefined ? [] : [[`/declare/messages/${message}/permission`, permission] as const],
  ),
]

/** Reads what a module exports. A fault has the JSON Pointer of its place in the definition. */
export const readSpec = (exported: unknown): ReadSpec => {
  if (!isObject(exported))
    return { ok: false, faults: [{ message: 'The module has no default export. Write `export default defineModule({ … })`.' }] }
  const faults: Fault[] = []
  const readFunctions = <N extends string>(key: string, names: readonly N[] | undefined): ReadonlyMap<N, ModuleFunction> => {
    const found = new Map<N, ModuleFunction>()
    const given = exported[key]
    if (given === undefined) return found
    if (!isObject(given)) {
      faults.push({ pointer: `/${key}`, message: 'must be an object of functions' })
      return found
    }
    for (const [name, run] of Object.entries(given)) {
      if (run === undefined) continue
      if (!isPlainFunction(run)) faults.push({ pointer: `/${key}/${name}`, message: describeNoFunction(run) })
      else if (names === undefined || isOneOf(names, name)) found.set(name as N, run)
      else faults.push({ pointer: `/${key}/${name}`, message: `is not known. Use one of: ${names.join(', ')}` })
    }
    return found
  }
  const readRuns = (key: string): ReadonlyMap<string, ModuleFunction> => {
    const found = new Map<string, ModuleFunction>()
    const given = exported[key]
    if (!isObject(given)) return found
    for (const [name, entry] of Object.entries(given))
      if (isObject(entry) && isPlainFunction(entry.run)) found.set(name, entry.run)
      else faults.push({ pointer: `/${key}/${name}/run`, message: describeNoFunction(isObject(entry) ? entry.run : undefined) })
    return found
  }
  const decide = readFunctions('decide', decideNames)
  const on = readFunctions('on', eventNames)
  const receive = readFunctions<string>('receive', undefined)
  const readSteps = (pointer: string, stored: unknown): void => {
    const steps = isObject(stored) && Array.isArray(stored.migrate) ? stored.migrate : []
    for (const [at, step] of steps.entries())
      if (!isPlainFunction(step)) faults.push({ pointer: `${pointer}/migrate/${at}`, message: describeNoFunction(step) })
  }
  if (isObject(exported.declare)) {
    const { player, state, records } = exported.declare
    readSteps('/declare/player', player)
    readSteps('/declare/state', state)
    for (const [record, stored] of Object.entries(isObject(records) ? records : {}))
      readSteps(`/declare/records/${record}`, stored)
  }
  const commandRuns = readRuns('commands')
  const scheduleRuns = readRuns('schedules')
  const parsed = parseData(plainOf(without(exported, ['decide', 'on', 'receive'])))
  if (!parsed.ok) return { ok: false, faults: [...parsed.faults.map(withKeys), ...faults] }
  const { name, version, needs = [], after = [], commands = {}, schedules = {}, budget } = parsed.value
  const declare: Declarations = isObject(exported.declare) ? withFunctions(exported.declare, parsed.value.declare) : {}
  for (const message of Object.keys(declare.messages ?? {}))
    if (!receive.has(message))
      faults.push({ pointer: `/receive/${message}`, message: 'is missing: every message needs a handler' })
  for (const message of receive.keys())
    if (!Object.hasOwn(declare.messages ?? {}, message))
      faults.push({ pointer: `/receive/${message}`, message: 'handles a message that `declare.messages` does not have' })
  for (const permission of Object.keys(declare.permissions ?? {}))
    if (!permission.startsWith(`module.${name}.`))
      faults.push({ pointer: `/declare/permissions/${permission}`, message: `must begin with module.${name}.` })
  if (faults.length > 0) return { ok: false, faults }
  for (const [pointer, permission] of permissionPlaces(declare, commands)) {
    const message = describeUnknownPermission(permission, { module: name, own: declare.permissions ?? {} })
    if (message !== undefined) faults.push({ pointer, message })
  }
  if (faults.length > 0) return { ok: false, faults }
  const commandList = Object.entries(commands).flatMap(([command, declaration]) => {
    const run = commandRuns.get(command)
    return run === undefined ? [] : [[command, { declaration, run }] as const]
  })
  const scheduleList = Object.entries(schedules).flatMap(([schedule, { cron }]) => {
    const run = scheduleRuns.get(schedule)
    return run === undefined ? [] : [[schedule, { cron, run }] as const]
  })
  const spec: LoadedSpec = {
    name,
    version,
    needs,
    after,
    declare,
    tickMs: budget?.tickMs,
    isKept: budget?.keep === true,
    decide,
    on,
    receive,
    commands: new Map(commandList),
    schedules: new Map(scheduleList),
  }
  return { ok: true, spec }
}

/** The checked declarations, with the functions of `migrate` that plain JSON does not have. */
const withFunctions = (given: Readonly<Record<string, unknown>>, checked: Declarations | undefined): Declarations => {
  const migrateOf = (value: unknown): readonly unknown[] | undefined =>
    isObject(value) && Array.isArray(value.migrate) ? value.migrate : undefined
  const restore = <T>(declaration: T, source: unknown): T => {
    const migrate = migrateOf(source)
    return migrate === undefined ? declaration : Object.assign({}, declaration, { migrate })
  }
  const { player, records, state, ...rest } = checked ?? {}
  const givenRecords = isObject(given.records) ? given.records : {}
  return {
    ...rest,
    ...(player !== undefined && { player: restore(player, given.player) }),
    ...(state !== undefined && { state: restore(state, given.state) }),
    ...(records !== undefined && {
      records: Object.fromEntries(Object.entries(records).map(([name, record]) => [name, restore(record, givenRecords[name])])),
    }),
  }
}

/** The permissions below `module.NAME.` that a module declares or names. */
export const permissionsOf = ({ name, declare, commands }: LoadedSpec): readonly string[] => {
  const named = [
    ...Object.keys(declare.permissions ?? {}),
    ...Array.from(commands.values(), ({ declaration }) => declaration.permission),
    ...Object.values(declare.messages ?? {}).flatMap(({ permission }) => permission ?? []),
  ]
  return [...new Set(named.filter((permission) => permission.startsWith(`module.${name}.`)))].sort()
}
