import { isDeepStrictEqual } from 'node:util'
import type { RollbackCounts } from '../../../shared/domain/history/plan-rollback.ts'
import { isOver } from '../../../shared/domain/jobs/job.ts'
import type { RollbackInput } from '../../../shared/domain/jobs/rollback.ts'
import { zoneHistoryPermission } from '../../../shared/domain/permissions/game-permissions.ts'
import { AppError } from '../../../shared/kernel/errors.ts'
import type { GameZone } from '../../zones/game-zone.ts'
import type { Command, CommandCaller } from '../command.ts'
import { findNumber, getText } from '../executor/read-arguments.ts'
import type { LandControl } from './land-control.ts'
import { findOwnZone, findRightInZone } from './own-zone.ts'
import { boxAround, findSelf, getBuilder, getLand, withinZone } from './place.ts'

const confirmWithinMs = 60_000
/** In blocks to each side. */
const radiusMax = 1_000

/** `zone`: the one that whoever asked was held to, as it was. */
type Preview = {
  readonly input: RollbackInput
  readonly whose: string
  readonly atMs: number
  readonly zone: GameZone | undefined
}

/** What each caller was shown last, by world. */
const previews = new WeakMap<LandControl, Map<string, Preview>>()

const previewsOf = (land: LandControl, nowMs: number): Map<string, Preview> => {
  const shown = previews.get(land) ?? new Map<string, Preview>()
  for (const [who, { atMs }] of shown) if (nowMs - atMs > confirmWithinMs) shown.delete(who)
  previews.set(land, shown)
  return shown
}

const say = ({ changes, blocks, columns, skipped }: RollbackCounts): string =>
  `${changes} changes of ${blocks} blocks in ${columns} columns${skipped === 0 ? '' : `; ${skipped} blocks stay, as others have changed them since`}`

const checkRadius = (radius: number): number => {
  if (radius >= 1 && radius <= radiusMax) return radius
  throw new AppError('invalid', 'bad-request', `A radius is 1 to ${radiusMax} blocks.`)
}

/** Of the caller's own last rollback, whoever else may see jobs. */
const tellOwn = async (land: LandControl, { actor }: CommandCaller, what: 'status' | 'cancel') => {
  const job = await land.findOwn(actor.playerId)
  if (job === undefined) throw new AppError('not-found', 'not-found', 'There is no rollback of yours.')
  if (what === 'status' || isOver(job))
    return { ok: true, text: `Job ${job.id} is ${job.state}: ${job.detail}`, data: { job } } as const
  await land.cancel(actor, job.id)
  return { ok: true, text: `Job ${job.id} is being cancelled; what it took back stays so.`, data: { job } } as const
}

/** `/rollback`: takes back what a player did to blocks, counted first and done when it is confirmed within a minute. */
export const rollback: Command = {
  name: 'rollback',
  description:
    'Counts what a player changed in the last 30m, 2h or 1d, around you or everywhere; /rollback confirm takes it back, status and cancel are of your last one.',
  forms: [
    [{ name: 'confirm', kind: 'word' }],
    [
      { name: 'player', kind: 'player' },
      { name: 'duration', kind: 'duration' },
      { name: 'radius', kind: 'number', optional: true },
    ],
  ],
  permission: 'command.rollback',
  inOwnZones: zoneHistoryPermission,
  privileged: true,
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
        throw new AppError('invalid', 'bad-request', 'Say for how long: /rollback PLAYER 30m, perhaps with a radius.')
      const preview = shown.get(who)
      if (preview === undefined)
        throw new AppError('not-found', 'not-found', 'Nothing waits to be confirmed: /rollback PLAYER 30m counts first.')
      // What they could do when it was counted may be over.
      const { zone: was } = preview
      const zone = was === undefined ? undefined : [...context.gameZones.list()].find(({ id }) => id === was.id)
      const right = await findRightInZone(context, caller, { command: rollback, zone })
      if (right.refusal !== undefined) return right.refusal
      if (was !== undefined && zone !== undefined && !isDeepStrictEqual(withinZone(was), withinZone(zone))) {
        shown.delete(who)
        throw new AppError('conflict', 'changed-since', 'The zone has other bounds by now: count again.')
      }
      const job = await land.start(caller.actor, preview.input)
      shown.delete(who)
      return { ok: true, text: `What ${preview.whose} changed is being taken back, as job ${job.id}.`, data: { job } }
    }
    const { playerId, displayName } = await getBuilder(context, caller, getText(args, 'player'))
    const { zone, refusal } = await findOwnZone(context, caller, { command: rollback, at: findSelf(context, caller) })
    if (refusal !== undefined) return refusal
    const radius = findNumber(args, 'radius')
    const box = radius === undefined ? undefined : boxAround(context, caller, checkRadius(radius))
    const input: RollbackInput = {
      by: playerId,
      since: Math.floor(nowMs - durationMs),
      until: await land.findEnd(nowMs),
      ...(zone === undefined ? box && { box } : withinZone(zone, box)),
    }
    const counts = await land.count(input)
    if (counts.blocks === 0)
      return { ok: true, text: `Nothing of ${displayName} is to be taken back there: ${say(counts)}.`, data: { counts } }
    shown.set(who, { input, whose: displayName, atMs: nowMs, zone })
    return {
      ok: true,
      text: `${displayName} made ${say(counts)}. /rollback confirm within a minute takes it back.`,
      data: { counts },
    }
  },
}
