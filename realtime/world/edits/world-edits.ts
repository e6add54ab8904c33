import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import type { Point } from '../../../shared/rules/movement/reach.ts'
import type { BlockPos } from '../../../shared/rules/positions.ts'
import type { BlockEdit, EditBlocks } from '../../protocol/generated/gatehouse.ts'
import type { ServerMessageKind } from '../../protocol/messages.ts'
import type { BlockChange, EditJournal } from './edit-journal.ts'
import { type EditRefusal, type EditSurroundings, findPlaceRefusal, readEdits } from './find-edit-refusal.ts'

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
    ask(actor: Actor, changes: readonly NamedChange[], answer: (reason: string | undefined) => void): void
  }
  /** Called with the refusal of each answer, or undefined. */
  readonly answered?: (refusal: string | undefined) => void
}

/** A block with the ids of its types before and after. */
type NamedChange = BlockPos & { readonly from: string; readonly to: string }

const permission = 'world.build'

/** Edits by the rules of the game, with the reasons of EditResult in `gatehouse.proto`. */
export const createWorldEdits = <Actor extends EditActor>(deps: WorldEditsDeps<Actor>): WorldEdits<Actor> => {
  const { loaded, registry, journal, holds, guard, explain, modules, answered } = deps

  const findRefusal = (actor: Actor, edits: readonly BlockEdit[], changes: readonly BlockChange[]): EditRefusal | undefined => {
    const index = edits.findIndex((edit) => !holds(actor, permission, edit))
    const at = edits[index]
    if (at !== undefined) return { reason: `missing-permission: ${permission}`, denied: { permission, at }, index }
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
    modules.ask(actor, named, (reason) => {
      if (reason !== undefined) {
        answer({ reason, ...(first !== undefined && { denied: { permission, at: first, type: first.to } }) })
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
        const { reason, denied, index } = refused ?? {}
        answered?.(reason)
        if (actor.takeovers !== takeovers) return
        const link = denied && explain?.(actor, denied)
        actor.connection?.send({
          $case: 'editResult',
          value: { seq, ok: refused === undefined, reason: reason ?? '', explain: link, index },
        })
      }
      const read = readEdits(edits, registry)
      const refusal = 'refusal' in read ? read.refusal : findRefusal(actor, edits, read.changes)
      if (refusal !== undefined) answer(refusal)
      else if ('changes' in read) decideAndApply(actor, read.changes, answer)
    },
    mayEdit: (actor, edit) => holds(actor, permission, edit) && guard?.(actor, [edit]) === undefined,
    step: journal.step,
  }
}
