import { basename } from 'node:path'
import { Type } from '@sinclair/typebox'
import { deletedElsewhere, renamedElsewhere, restoredElsewhere } from '../../shared/domain/world-moves/world-moves.ts'
import { WorldName, WorldSpawn } from '../../shared/domain/worlds/world.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import { AppError } from '../../shared/kernel/errors.ts'
import type { HttpDeps } from '../deps.ts'
import { ok, route } from '../http/route.ts'

/** A world as administrators see it. */
export const WorldView = ClosedObject({
  name: WorldName,
  seed: Type.Integer(),
  chunkCount: Type.Integer({ minimum: 0, description: 'Generated columns.' }),
  createdAt: Type.String({ format: 'date-time' }),
  active: Type.Boolean({ description: 'Whether the server runs this world.' }),
  generator: Type.String({ description: 'The version of the generator that creates its terrain.' }),
  sizeBytes: Type.Integer({ minimum: 0, description: 'The size of its chunks in the store.' }),
  spawn: Type.Optional(
    ClosedObject(WorldSpawn.properties, {
      description: 'Where new players appear. Absent in old worlds: there it is the dry land nearest to the middle.',
    }),
  ),
  warning: Type.Optional(Type.String({ description: 'Why its chunks cannot be read. The numbers are then 0.' })),
})

/** Lists all worlds, including worlds with unreadable chunks. */
export const listWorlds = route({
  method: 'get',
  path: '/api/admin/worlds',
  permission: 'admin.worlds.read',
  operationId: 'listWorlds',
  summary: 'Every world, the active one first, then by name.',
  responses: { 200: Type.Array(WorldView) },
  handle: async ({ worlds }) => ok(await worlds.listWorlds()),
})

const Seed = Type.Union([
  Type.Integer({ minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }),
  Type.String({ description: 'Digits are used as this integer, any other text is hashed to one.' }),
])

/** Creates a world, without any columns yet. */
export const createWorld = route({
  method: 'post',
  path: '/api/admin/worlds',
  permission: 'admin.worlds.write',
  operationId: 'createWorld',
  summary: 'Add a world with the current `worldgen.yaml`. Without a seed it gets a random one.',
  body: ClosedObject({ name: WorldName, seed: Type.Optional(Seed) }),
  responses: { 201: WorldView },
  problems: ['already-exists'],
  handle: async ({ worlds }, { body, actor }) => ({
    status: 201,
    body: await worlds.describeWorld(await worlds.createWorld(body, actor)),
  }),
})

/** The world moves. Throws if the next start would create a new world of this name. */
const movesOf = async ({ worlds, worldMoves }: HttpDeps, name: string, elsewhere: AppError) => {
  if (worldMoves === undefined) {
    await worlds.getWorld(name)
    throw elsewhere
  }
  if (!worldMoves.isActive(name)) return worldMoves
  const detail = `GAME_WORLD_NAME selects the world "${name}". Restart the server with another world first. Otherwise its next start creates a new world with this name.`
  throw new AppError('conflict', 'world-held', detail)
}

export const renameWorld = route({
  method: 'put',
  path: '/api/admin/worlds/:world',
  permission: 'admin.worlds.write',
  operationId: 'renameWorld',
  summary: 'Rename a world that no node runs, with its zones, history, grants and the positions of players.',
  params: ClosedObject({ world: WorldName }),
  body: ClosedObject({ name: WorldName }),
  responses: { 200: WorldView },
  problems: ['not-found', 'already-exists', 'world-held', 'managed-elsewhere', 'service-unavailable'],
  handle: async (deps, { params: { world: from }, body: { name: to }, actor }) => {
    const moves = await movesOf(deps, from, renamedElsewhere(from, to))
    await moves.renameWorld({ from, to }, actor)
    return ok(await deps.worlds.describeWorld(await deps.worlds.getWorld(to)))
  },
})

/** Moves a world that no node runs into the trash folder. */
export const deleteWorld = route({
  method: 'delete',
  path: '/api/admin/worlds/:world',
  permission: 'admin.worlds.write',
  operationId: 'deleteWorld',
  summary: 'Move a world that no node runs into the trash folder of the data folder, and delete its zones.',
  params: ClosedObject({ world: WorldName }),
  responses: {
    200: ClosedObject({
      trash: Type.Optional(
        Type.String({
          description:
            'Its folder in the data folder. To restore the world, use `npm run world -- import` with it. Absent if this finished a permanent deletion.',
        }),
      ),
      zones: Type.Integer({ minimum: 0, description: 'Deleted zones.' }),
      accounts: Type.Integer({ minimum: 0, description: 'Accounts with grants for this world. The grants stay.' }),
    }),
  },
  problems: ['not-found', 'already-exists', 'world-held', 'managed-elsewhere', 'service-unavailable'],
  handle: async (deps, { params: { world: name }, actor }) => {
    const moves = await movesOf(deps, name, deletedElsewhere(name))
    const { trash, zones, accounts } = await moves.deleteWorld({ name }, actor)
    return ok({ zones, accounts, ...(trash !== undefined && { trash: `trash/${basename(trash)}` }) })
  },
})

/** Restores a deleted world from the trash folder. */
export const restoreWorld = route({
  method: 'post',
  path: '/api/admin/worlds/:world/restore',
  permission: 'admin.worlds.write',
  operationId: 'restoreWorld',
  summary:
    'Restore a deleted world from the trash folder under this name, with its history and the positions of players. Its zones return by undoing their deletion.',
  params: ClosedObject({ world: WorldName }),
  body: ClosedObject({
    trash: Type.String({
      pattern: '^trash/[A-Za-z0-9_-][A-Za-z0-9_.:-]{0,127}$',
      description: 'The folder that the deletion reported.',
      examples: ['trash/north-20261127T120000Z'],
    }),
  }),
  responses: { 200: WorldView },
  problems: ['not-found', 'already-exists', 'world-held', 'managed-elsewhere', 'service-unavailable'],
  handle: async ({ worlds, worldMoves }, { params: { world: name }, body: { trash }, actor }) => {
    if (worldMoves === undefined) throw restoredElsewhere()
    const folder = worldMoves.trashFolder(basename(trash))
    const world = await worldMoves.returnWorld({ folder, name }, actor)
    if (world === undefined) throw new AppError('not-found', 'not-found', 'The trash folder has no deleted world with this name.')
    return ok(await worlds.describeWorld(world))
  },
})
