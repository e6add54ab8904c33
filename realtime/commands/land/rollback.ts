import { isDeepStrictEqual } from 'node:util'
import type { RollbackCounts } from '../../../shared/domain/history/plan-rollback.ts'
import { isOver } from '../../../shared/domain/jobs/job.ts'
import type { RollbackInput } from '../../../shared/domain/jobs/rollback.ts'
import { knownCommand } from '../../../shared/domain/permissions/known-commands.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { GameZone } from '../../zones/game-zone.ts'
import type { Command, CommandCaller, CommandContext } from '../command.ts'
import { findNumber, getText } from '../executor/read-arguments.ts'
import { boxAround, findSelf, getBuilder, getLand, withinZone } from './area.ts'
import type { LandControl } from './land-control.ts'
import { findOwnZone, findRightInZone } from './own-zone.ts'

const confirmWithinMs = 60_000
/** In blocks to each side. */
const radiusMax = 1_000

/** `zone` is the zone to which the caller was limited, as it was then. */
type Preview = {
  readonly input: RollbackInput
  readonly whose: string
  readonly atMs: number
  readonly zone: GameZone | undefined
}

/** The last preview of each caller, by world. */
const previews = new WeakMap<LandControl, Map<string, Preview>>()

const previewsOf = (land: LandControl, nowMs: number): Map<string, Preview> => {
  const shown = previews.get(land) ?? new Map<string, Preview>()
  for (const [who, { atMs }] of shown) if (nowMs - atMs > confirmWithinMs) shown.delete(who)
  previews.set(land, shown)
  return shown
}

const say = ({ changes, blocks, columns, skipped }: RollbackCounts): string =>
  `${changes} changes of ${blocks} blocks in ${columns} chunks${skipped === 0 ? '' : `; ${skipped} blocks stay because others have changed them since`}`

const checkRadius = (radius: number): number => {
  if (radius >= 1 && radius <= radiusMax) return radius
  throw new AppError('invalid', 'bad-request', `The radius must be 1 to ${radiusMax} blocks.`)
}

/** The last rollback of the caller, even if the caller may not read jobs. */
const tellOwn = async (land: LandControl, { actor }: CommandCaller, what: 'status' | 'cancel') => {
  const job = await land.findOwn(actor.playerId)
  if (job === undefined) throw new AppError('not-found', 'not-found', 'You have not started a rollback.')
  if (what === 'status' || isOver(job))
    return { ok: true, text: `Job ${job.id} is ${job.state}: ${job.detail}`, data: { job } } as const
  await land.cancel(actor, job.id)
  return {
    ok: true,
    text: `Job ${job.id} is being cancelled. Blocks that are already rolled back stay so.`,
    data: { job },
  } as const
}

const moduleWord = /^module:([a-z][a-z0-9-]*)$/

/** A player, or a module as `module:NAME`. */
const findAuthor = async (
  context: CommandContext,
  caller: CommandCaller,
  written: string,
): Promise<{ readonly whose: Pick<RollbackInput, 'by' | 'module'>; readonly whoseName: string }> => {
  const [, module] = moduleWord.exec(written) ?? []
  if (module !== undefined) return { whose: { module }, whoseName: `The module ${module}` }
  const { playerId, displayName } = await getBuilder(context, caller, written)
  return { whose: { by: playerId }, whoseName: displayName }
}

/** `/rollback`: undoes the changes of a player or a module. It first counts the blocks and starts when it is confirmed within a minute. */
export const rollback: Command = {
  ...knownCommand('rollback'),
  description:
    'Counts the changes of a player, or of module:NAME, in the last 30m, 2h or 1d, around you or everywhere. /rollback confirm undoes them. /rollback status and cancel apply to your last rollback.',
  forms: [
    [{ name: 'confirm', kind: 'word' }],
    [
      { name: 'player', kind: 'player' },
      { name: 'duration', kind: 'duration' },
      { name: 'radius', kind: 'number', optional: true },
    ],
  ],
  run: async (context, caller, args) => {
    const land = getLand(context)
    const nowMs = context.clock.now()
    const shown = previewsOf(land, nowMs)
    const who = caller.actor.email
    const durationMs = findNumber(args, 'duration')
    if (durationMs === undefined) {
      const what = getText(args, 'confirm')
      if (what === 'status' || what === 'cancel') return tellOwn(land, caller, what)
      if (what !== 'confirm')
        throw new AppError(
          'invalid',
          'bad-request',
          'Give a player and a duration: /rollback PLAYER 30m, optionally with a radius.',
        )
      const preview = shown.get(who)
      if (preview === undefined)
        throw new AppError('not-found', 'not-found', 'There is nothing to confirm. Run /rollback PLAYER 30m first.')
      // The rights of the caller may have changed since the preview.
      const { zone: was } = preview
      const zone = was === undefined ? undefined : [...context.gameZones.list()].find(({ id }) => id === was.id)
      const right = await findRightInZone(context, caller, { command: rollback, zone })
      if (right.refusal !== undefined) return right.refusal
      if (was !== undefined && zone !== undefined && !isDeepStrictEqual(withinZone(was), withinZone(zone))) {
        shown.delete(who)
        throw new AppError('conflict', 'changed-since', 'The bounds of the zone have changed. Run the command again.')
      }
      const job = await land.start(caller.actor, preview.input, was?.id)
      shown.delete(who)
      return { ok: true, text: `Job ${job.id} is rolling back the changes of ${preview.whose}.`, data: { job } }
    }
    const { whose: author, whoseName } = await findAuthor(context, caller, getText(args, 'player'))
    const { zone, refusal } = await findOwnZone(context, caller, { command: rollback, at: findSelf(context, caller) })
    if (refusal !== undefined) return refusal
    const radius = findNumber(args, 'radius')
    const box = radius === undefined ? undefined : boxAround(context, caller, checkRadius(radius))
    const input: RollbackInput = {
      ...author,
      since: Math.floor(nowMs - durationMs),
      until: await land.findEnd(nowMs),
      ...(zone === undefined ? box && { box } : withinZone(zone, box)),
    }
    const counts = await land.count(input)
    if (counts.blocks === 0)
      return { ok: true, text: `${whoseName} has no changes to roll back: ${say(counts)}.`, data: { counts } }
    shown.set(who, { input, whose: whoseName, atMs: nowMs, zone })
    return {
      ok: true,
      text: `${whoseName} made ${say(counts)}. To undo them, run /rollback confirm within a minute.`,
      data: { counts },
    }
  },
}
