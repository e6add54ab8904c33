import { buildPermission } from '../../../shared/domain/permissions/game-permissions.ts'
import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import { boxAround, isWithinReach, type Point, reachBlocks, touchesBody } from '../../../shared/rules/movement/reach.ts'
import { type BlockPos, isBlockPos } from '../../../shared/rules/positions.ts'
import type { BlockEdit, EditBlocks } from '../../protocol/generated/gatehouse.ts'
import type { ServerMessageKind } from '../../protocol/messages.ts'
import type { LoadedWorld } from '../columns/loaded-world.ts'
import type { BlockChange, EditJournal } from './edit-journal.ts'

/** The part of a session that editing needs. */
export type EditActor = {
  readonly body: Point & { readonly playerId: string }
  readonly connection: { send(message: ServerMessageKind): void } | undefined
  readonly takeovers: number
}

/** Edits of players. Each gets an EditResult: at once if it is refused, otherwise when it is durable or undone. */
export type WorldEdits<Actor extends EditActor> = {
  /** Call it within a tick. */
  edit(actor: Actor, message: EditBlocks): void
  /** Whether the actor may change that block now, at any distance. */
  mayEdit(actor: Actor, edit: BlockEdit): boolean
  /** Once a tick, after the inbox: sends changes to the viewers, and results to the senders. */
  step(): void
}

/** The maximum number of blocks in one message. */
const editsMax = 256

/** A body farther from the feet than this cannot touch a block within reach. */
const bodiesWithinBlocks = reachBlocks + 3

/** Why an edit is refused: a reason from `gatehouse.proto`, and the missing permission if there is one. */
export type EditRefusal = {
  readonly reason: string
  /** `type` is that of an edit that a module refused. */
  readonly denied?: { readonly permission: string; readonly at: BlockPos; readonly type?: string }
  /** The position of the first refused edit, from 0. */
  readonly index?: number
  /** The module that refused the edits, with a sentence for the player. */
  readonly refusedBy?: { readonly module: string; readonly text: string }
}

/** The changes of a player, or the refusal. */
type ReadEdits = { readonly changes: readonly BlockChange[] } | { readonly refusal: EditRefusal }

type EditSurroundings = {
  readonly loaded: Pick<LoadedWorld, 'blockAt'>
  readonly registry: Pick<BlockRegistry, 'isSolid'>
  /** All players with their feet within this many blocks of `place` along x and z. It may include others. */
  readonly playersNear: (place: Point, blocks: number) => Iterable<Point>
}

const blockKey = ({ x, y, z }: BlockPos): string => `${x} ${y} ${z}`

/** Reads 1 to 256 edits of different blocks in the world. Their types must be known. */
const readEdits = (edits: readonly BlockEdit[], registry: Pick<BlockRegistry, 'find'>): ReadEdits => {
  const isCounted = edits.length > 0 && edits.length <= editsMax
  if (!isCounted) return { refusal: { reason: 'invalid' } }
  const keys = new Set<string>()
  const changes: BlockChange[] = []
  for (const [at, edit] of edits.entries()) {
    if (!isBlockPos(edit) || keys.has(blockKey(edit))) return { refusal: { reason: 'invalid', index: at } }
    keys.add(blockKey(edit))
  }
  for (const [at, { x, y, z, type }] of edits.entries()) {
    const index = registry.find(type)?.index
    if (index === undefined) return { refusal: { reason: 'unknown-block', index: at } }
    changes.push({ x, y, z, index })
  }
  return { changes }
}

/** Why a player with feet at `feet` cannot make these changes: out of reach, not loaded, or a player is in the way. */
const findPlaceRefusal = (
  { loaded, registry, playersNear }: EditSurroundings,
  feet: Point,
  changes: readonly BlockChange[],
): EditRefusal | undefined => {
  const far = changes.findIndex((change) => !isWithinReach(feet, change))
  if (far >= 0) return { reason: 'out-of-reach', index: far }
  const before = changes.map(({ x, y, z }) => loaded.blockAt(x, y, z))
  const missing = before.indexOf(undefined)
  if (missing >= 0) return { reason: 'not-loaded', index: missing }
  const solid = changes.filter(({ index }, place) => registry.isSolid(index) && index !== before[place])
  if (solid.length === 0) return undefined
  // In a crowd, most players are outside the box around all blocks.
  const box = boxAround(solid)
  for (const other of playersNear(feet, bodiesWithinBlocks))
    if (touchesBody(other, box)) {
      const block = solid.find((one) => touchesBody(other, { min: one, max: one }))
      if (block !== undefined) return { reason: 'occupied', index: changes.indexOf(block) }
    }
  return undefined
}

export type WorldEditsDeps<Actor> = EditSurroundings & {
  readonly registry: Pick<BlockRegistry, 'find' | 'isSolid' | 'idOf'>
  readonly journal: EditJournal
  /** Whether the actor has the permission for that block now. */
  readonly holds: (actor: Actor, permission: string, at: BlockEdit) => boolean
  /** Another reason to refuse the edits, such as the rules of a zone. */
  readonly guard?: (actor: Actor, edits: readonly BlockEdit[]) => EditRefusal | undefined
  /** The path of the explanation of a denial. Undefined if the actor may not read it. */
  readonly explain?: (actor: Actor, denied: NonNullable<EditRefusal['denied']>) => string | undefined
  /** Modules that decide about edits. They are asked last, and answer in the same tick. */
  readonly modules?: {
    isAsked(): boolean
    ask(
      actor: Actor,
      changes: readonly NamedChange[],
      answer: (refusal: Pick<EditRefusal, 'reason' | 'refusedBy'> | undefined) => void,
    ): void
  }
  /** Called with the refusal of each answer, or undefined. */
  readonly answered?: (refusal: string | undefined) => void
}

/** A block with the ids of its types before and after. */
type NamedChange = BlockPos & { readonly from: string; readonly to: string }

/** Edits by the rules of the game, with the reasons of EditResult in `gatehouse.proto`. */
export const createWorldEdits = <Actor extends EditActor>(deps: WorldEditsDeps<Actor>): WorldEdits<Actor> => {
  const { loaded, registry, journal, holds, guard, explain, modules, answered } = deps

  const findRefusal = (actor: Actor, edits: readonly BlockEdit[], changes: readonly BlockChange[]): EditRefusal | undefined => {
    const index = edits.findIndex((edit) => !holds(actor, buildPermission, edit))
    const at = edits[index]
    if (at !== undefined)
      return { reason: `missing-permission: ${buildPermission}`, denied: { permission: buildPermission, at }, index }
    const reason = journal.findRefusal(actor.body.playerId)
    if (reason !== undefined) return { reason }
    return findPlaceRefusal(deps, actor.body, changes) ?? guard?.(actor, edits)
  }

  /** Applies the changes unless a module refuses them. */
  const decideAndApply = (actor: Actor, changes: readonly BlockChange[], answer: (refusal?: EditRefusal) => void): void => {
    const settled = (reason?: string): void => answer(reason === undefined ? undefined : { reason })
    const apply = (): void => journal.apply({ changes, by: actor.body.playerId, via: 'game', settled })
    if (modules === undefined || !modules.isAsked()) {
      apply()
      return
    }
    const { x, y, z } = actor.body
    const named = changes.map((change) => ({
      x: change.x,
      y: change.y,
      z: change.z,
      from: registry.idOf(loaded.blockAt(change.x, change.y, change.z) ?? 0),
      to: registry.idOf(change.index),
    }))
    const [first] = named
    modules.ask(actor, named, (refused) => {
      if (refused !== undefined) {
        answer({ ...refused, ...(first !== undefined && { denied: { permission: buildPermission, at: first, type: first.to } }) })
        return
      }
      // Other edits of this tick may have come first. The place of the player is that of the message.
      const refusal = findPlaceRefusal(deps, { x, y, z }, changes)
      if (refusal === undefined) apply()
      else answer(refusal)
    })
  }

  return {
    edit: (actor, { seq, edits }) => {
      const { takeovers } = actor
      const answer = (refused?: EditRefusal): void => {
        const { reason, denied, index, refusedBy } = refused ?? {}
        answered?.(reason)
        if (actor.takeovers !== takeovers) return
        const link = denied && explain?.(actor, denied)
        actor.connection?.send({
          $case: 'editResult',
          value: { seq, ok: refused === undefined, reason: reason ?? '', explain: link, index, refusedBy },
        })
      }
      const read = readEdits(edits, registry)
      const refusal = 'refusal' in read ? read.refusal : findRefusal(actor, edits, read.changes)
      if (refusal !== undefined) answer(refusal)
      else if ('changes' in read) decideAndApply(actor, read.changes, answer)
    },
    mayEdit: (actor, edit) => holds(actor, buildPermission, edit) && guard?.(actor, [edit]) === undefined,
    step: journal.step,
  }
}
