import type { BlockChange } from '../../../shared/domain/history/block-change.ts'
import type { ChangeFilter } from '../../../shared/domain/history/find-changes.ts'
import { knownCommand } from '../../../shared/domain/permissions/known-commands.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { Argument, ArgumentValues, Command, CommandCaller, CommandContext, CommandReply } from '../command.ts'
import { readCoordinate } from '../executor/bind-arguments.ts'
import { nameOfDeleted } from '../executor/find-player.ts'
import { findText } from '../executor/read-arguments.ts'
import { boxAround, findSelf, getBuilder, getLand, withinZone } from './area.ts'
import { findOwnZone } from './own-zone.ts'

const axes = ['x', 'y', 'z'] as const
const linesShown = 10
/** In blocks to each side of the caller. */
const inspectRadius = 32

/** The block at the given coordinates, otherwise the block below the caller. */
const findBlock = (context: CommandContext, caller: CommandCaller, args: ArgumentValues) => {
  const self = findSelf(context, caller)
  const written = axes.map((axis) => findText(args, axis))
  if (self === undefined && (written.includes(undefined) || written.some((text) => text?.startsWith('~'))))
    throw new AppError('invalid', 'bad-request', 'Give x y z: you have no position.')
  const [x = 0, y = 0, z = 0] = axes.map((axis, at) => {
    const text = written[at]
    if (text !== undefined) return Math.floor(readCoordinate(text, Math.floor(self?.[axis] ?? 0)))
    return Math.floor((self?.[axis] ?? 0) - (axis === 'y' ? 0.01 : 0))
  })
  return { x, y, z }
}

const describe = ({ at, via, from, to, x, y, z }: BlockChange, who: string, isOnePlace: boolean): string =>
  `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}  ${who}: ${from} to ${to} (${isOnePlace ? via : `${via}, at ${x} ${y} ${z}`})`

/** Display names by playerId. A deleted account has its last name, an unknown one its playerId. */
const namesOf = async (context: CommandContext, changes: readonly BlockChange[]): Promise<ReadonlyMap<string, string>> => {
  const ids = [...new Set(changes.flatMap(({ by }) => (by === '' ? [] : by)))]
  const names = ids.map(async (id): Promise<readonly [string, string]> => {
    const account = await context.accountStore.findByPlayerId(id)
    if (account !== undefined) return [id, account.displayName]
    const deleted = await context.deletedAccounts.find(id)
    return [id, deleted === undefined ? id : nameOfDeleted(deleted)]
  })
  return new Map(await Promise.all(names))
}

type Shown = { readonly filter: ChangeFilter; readonly head: string; readonly nothing: string; readonly isOnePlace: boolean }

const show = async (context: CommandContext, { filter, head, nothing, isOnePlace }: Shown) => {
  const found = await getLand(context).listChanges(filter, linesShown)
  const names = await namesOf(context, found)
  const whoOf = ({ by, module = '' }: BlockChange): string => names.get(by) ?? (by === '' ? module : by)
  const lines = found.map((change) => describe(change, whoOf(change), isOnePlace))
  return {
    text: lines.length === 0 ? nothing : [`${head}, newest first:`, ...lines].join('\n'),
    changes: found.map(({ at, ...change }) => ({ at: new Date(at).toISOString(), ...change })),
  }
}

/** The changes of a player around the caller, as far as the caller may see them. */
const inspectPlayer = async (context: CommandContext, caller: CommandCaller, named: string): Promise<CommandReply> => {
  const { zone, refusal } = await findOwnZone(context, caller, { command: inspect, at: findSelf(context, caller) })
  if (refusal !== undefined) return refusal
  const { playerId, displayName } = await getBuilder(context, caller, named)
  const around = boxAround(context, caller, inspectRadius)
  const { columns, box = around } = zone === undefined ? {} : withinZone(zone, around)
  const near = `within ${inspectRadius} blocks of you`
  const { text, changes } = await show(context, {
    filter: { by: playerId, box, ...(columns && { columns: new Set(columns) }) },
    head: `${displayName}, ${near}`,
    nothing: `No changes by ${displayName} ${near} are recorded.`,
    isOnePlace: false,
  })
  return { ok: true, text, data: { playerId, changes } }
}

/** `/inspect`: the changes of a block, or the changes of a player nearby, newest first. */
export const inspect: Command = {
  ...knownCommand('inspect'),
  description:
    'Shows the changes of the block below you or at x y z (~ is relative to you), or the changes of a player around you.',
  forms: [[], [{ name: 'player', kind: 'player' }], axes.map((name): Argument => ({ name, kind: 'coordinate' }))],
  run: async (context, caller, args) => {
    const named = findText(args, 'player')
    if (named !== undefined) return inspectPlayer(context, caller, named)
    const { x, y, z } = findBlock(context, caller, args)
    const { refusal } = await findOwnZone(context, caller, { command: inspect, at: { x, y, z } })
    if (refusal !== undefined) return refusal
    const head = `${x} ${y} ${z}`
    const { text, changes } = await show(context, {
      filter: { box: { minX: x, maxX: x, minY: y, maxY: y, minZ: z, maxZ: z } },
      head,
      nothing: `No changes of ${head} are recorded.`,
      isOnePlace: true,
    })
    return { ok: true, text, data: { x, y, z, changes } }
  },
}
