import { Type } from '@sinclair/typebox'
import type { Account } from '../../shared/domain/accounts/account.ts'
import { parseEmail } from '../../shared/domain/accounts/email.ts'
import { addModuleChecks, ModuleAdvice } from '../../shared/domain/explain/check-modules.ts'
import type { KnownLocation } from '../../shared/domain/explain/check-zone.ts'
import { explainAccess } from '../../shared/domain/explain/explain-access.ts'
import { Explanation } from '../../shared/domain/explain/explanation.ts'
import {
  findCommandQuestion,
  findLocation,
  findNearCommand,
  findOnlinePlayer,
  findPermissionQuestion,
  type Point,
  type Question,
} from '../../shared/domain/explain/question.ts'
import type { ModuleOrder } from '../../shared/domain/modules/admin/module-orders.ts'
import type { KnownCommand } from '../../shared/domain/permissions/known-commands.ts'
import { listOnlinePlayers } from '../../shared/domain/players/online-players.ts'
import { registryOf } from '../../shared/domain/worlds/chunks/block-registry.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import { createParser } from '../../shared/kernel/schema.ts'
import type { HttpDeps } from '../deps.ts'
import { ok, route } from '../http/route.ts'

const Coordinate = Type.Optional(Type.Number({ minimum: -30_000_000, maximum: 30_000_000 }))

const parseAdvice = createParser(Type.Array(ModuleAdvice))

const refuse = (pointer: string, message: string): AppError =>
  new AppError('invalid', 'bad-request', 'The query is not valid.', { errors: [{ pointer, message }] })

type Asked = { readonly permission?: string; readonly command?: string }

const ModuleCommand = Type.Object({
  name: Type.String(),
  permission: Type.Unsafe<KnownCommand['permission']>(Type.String({ pattern: '^none$|[.]' })),
  privileged: Type.Boolean(),
})
const parseCommand = createParser(ModuleCommand)

/** The question about a command of a module that runs on a node. */
const findModuleQuestion = async ({ moduleOrders }: HttpDeps, command: string): Promise<Question | undefined> => {
  const outcomes = await moduleOrders.send({ kind: 'find-command', command })
  for (const outcome of outcomes) {
    const parsed = outcome.outcome === 'done' ? parseCommand(outcome.value) : undefined
    if (parsed?.ok) return { command: parsed.value, permission: parsed.value.permission, privileged: parsed.value.privileged }
  }
  return undefined
}

const parseQuestion = async (deps: HttpDeps, { permission, command }: Asked): Promise<Question> => {
  if (permission !== undefined && command !== undefined) throw refuse('/command', 'must be absent when permission is given')
  if (command !== undefined) {
    const question = findCommandQuestion(command) ?? (await findModuleQuestion(deps, command))
    const nearest = findNearCommand(command)
    const hint = nearest === undefined ? '' : `: did you mean ${nearest}?`
    if (question === undefined) throw refuse('/command', `is not the name of a command${hint}`)
    return question
  }
  const question = permission === undefined ? undefined : findPermissionQuestion(permission)
  if (question === undefined) throw refuse('/permission', 'must be the name of a permission, unless command is given')
  const { names } = deps.permissions
  await names.refresh([question.permission])
  const message = names.describeUnknown(question.permission)
  if (message !== undefined)
    throw new AppError('unprocessable', 'unknown-permission', message, { errors: [{ pointer: '/permission', message }] })
  return question
}

type AskedPlace = Partial<Point> & { readonly world?: string }

const parsePoint = ({ x, y, z }: AskedPlace): Point | undefined => {
  if (x === undefined && y === undefined && z === undefined) return undefined
  // `Number()` reads a number that is too large as Infinity.
  for (const [name, value] of Object.entries({ x, y, z }))
    if (value === undefined || !Number.isFinite(value))
      throw refuse(`/${name}`, 'must be a number: x, y and z must be given together')
  return { x: Math.floor(x ?? 0), y: Math.floor(y ?? 0), z: Math.floor(z ?? 0) }
}

type PlayerAction = Extract<ModuleOrder, { kind: 'advise' }>['action']

type AskedEdit = Point & { readonly type: string }

const parseEdit = ({ configs }: HttpDeps, type: string | undefined, point: Point | undefined): AskedEdit | undefined => {
  if (type === undefined) return undefined
  if (point === undefined) throw refuse('/type', 'must be given with x, y and z')
  if (registryOf(configs.get('blocks.yaml')).find(type) === undefined)
    throw refuse('/type', 'must be a block type of blocks.yaml')
  return { ...point, type }
}

/** What the modules of the node of that world say. Undefined if it does not answer. */
const askModules = async (
  { moduleOrders }: HttpDeps,
  { playerId }: Account,
  world: string,
  action: PlayerAction,
): Promise<readonly ModuleAdvice[] | undefined> => {
  const [outcome] = await moduleOrders.send({ kind: 'advise', playerId, action }, { world })
  if (outcome?.outcome === 'refused') throw outcome.error
  const parsed = parseAdvice(outcome?.value)
  return parsed.ok ? parsed.value : undefined
}

/**
 * The place to explain: the given coordinates, or the position of the player in this world. Routes apply only at the place that
 * their address names.
 */
const findPlace = async (
  deps: HttpDeps,
  account: Account,
  { asked, isOfGame }: { readonly asked: AskedPlace; readonly isOfGame: boolean },
): Promise<KnownLocation> => {
  const given = parsePoint(asked)
  const known = asked.world === undefined ? undefined : (await deps.worlds.getWorld(asked.world)).name
  const isPlayers = isOfGame && (given === undefined || known === undefined)
  const online = isPlayers ? await findOnlinePlayer(() => listOnlinePlayers(deps.nodeReports), account.playerId) : undefined
  const world = known ?? online?.world ?? (given && (await deps.worlds.getWorld()).name)
  const point = given ?? (online !== undefined && online.world === world ? parsePoint(online.position) : undefined)
  if (world === undefined) return {}
  if (point === undefined) return { world }
  return findLocation(deps, world, point)
}

/** Explains with every check of the server whether an account may do something. `/why` prints the same value. */
export const explain = route({
  method: 'get',
  path: '/api/admin/explain',
  permission: 'admin.users.read',
  operationId: 'explainAccess',
  summary: 'Why an account may or may not do something: every check, and the rule that decides. Give a permission or a command.',
  query: ClosedObject({
    email: Type.String({ minLength: 1, maxLength: 254 }),
    permission: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    command: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'The name of the command, with or without the slash. Commands of modules on a running node work too.',
      }),
    ),
    world: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
    x: Coordinate,
    y: Coordinate,
    z: Coordinate,
    type: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'A block type of blocks.yaml. With it and x, y and z, each module says whether it allows that edit.',
      }),
    ),
    verified: Type.Optional(Type.Boolean({ description: 'Explains a verified sign-in, unless false.' })),
  }),
  responses: { 200: Explanation },
  problems: ['not-found', 'unknown-permission', 'accounts-unreadable', 'service-unavailable'],
  handle: async (deps, { query }) => {
    const question = await parseQuestion(deps, query)
    const point = parsePoint(query)
    const edit = parseEdit(deps, query.type, point)
    const account = await deps.accounts.getAccount(parseEmail(query.email))
    const isOfGame = !question.permission.startsWith('admin.')
    const at = await findPlace(deps, account, { asked: query, isOfGame })
    const explanation = await explainAccess(deps, account, question, { verified: query.verified ?? true, at })
    const { command } = question
    const action: PlayerAction | undefined = edit ? { kind: 'edit', ...edit } : command && { kind: 'command', name: command.name }
    if (action === undefined || at.world === undefined) return ok(explanation)
    const advice = await askModules(deps, account, at.world, action)
    // No module may decide about a command: then the explanation does not mention modules.
    return ok(addModuleChecks(explanation, command === undefined ? advice : (advice ?? []), account.displayName))
  },
})
