import type { BlockRegistry } from '../../../shared/domain/worlds/chunks/block-registry.ts'
import type { Point } from '../../../shared/rules/movement/reach.ts'
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
  readonly registry: Pick<BlockRegistry, 'find' | 'isSolid'>
  readonly journal: EditJournal
  /** Whether the actor has the permission for that block now. */
  readonly holds: (actor: Actor, permission: string, at: BlockEdit) => boolean
  /** Another reason to refuse the edits, such as the rules of a zone. */
  readonly guard?: (actor: Actor, edits: readonly BlockEdit[]) => EditRefusal | undefined
  /** The path of the explanation of a denial. Undefined if the actor may not read it. */
  readonly explain?: (actor: Actor, denied: NonNullable<EditRefusal['denied']>) => string | undefined
  /** Called with the refusal of each answer, or undefined. */
  readonly answered?: (refusal: string | undefined) => void
}

const permission = 'world.build'

/** Edits by the rules of the game, with the reasons of EditResult in `gatehouse.proto`. */
export const createWorldEdits = <Actor extends EditActor>(deps: WorldEditsDeps<Actor>): WorldEdits<Actor> => {
  const { registry, journal, holds, guard, explain, answered } = deps

  const findRefusal = (actor: Actor, edits: readonly BlockEdit[], changes: readonly BlockChange[]): EditRefusal | undefined => {
    const index = edits.findIndex((edit) => !holds(actor, permission, edit))
    const at = edits[index]
    if (at !== undefined) return { reason: `missing-permission: ${permission}`, denied: { permission, at }, index }
    const reason = journal.findRefusal(actor.body.playerId)
    if (reason !== undefined) return { reason }
    return findPlaceRefusal(deps, actor.body, changes) ?? guard?.(actor, edits)
  }

  return {
    edit: (actor, { seq, edits }) => {
      const { takeovers } = actor
      const answer = (reason?: string, link?: string, index?: number): void => {
        answered?.(reason)
        if (actor.takeovers !== takeovers) return
        actor.connection?.send({
          $case: 'editResult',
          value: { seq, ok: reason === undefined, reason: reason ?? '', explain: link, index },
        })
      }
      const read = readEdits(edits, registry)
      const refusal = 'refusal' in read ? read.refusal : findRefusal(actor, edits, read.changes)
      if (refusal !== undefined) answer(refusal.reason, refusal.denied && explain?.(actor, refusal.denied), refusal.index)
      else if ('changes' in read)
        journal.apply({ changes: read.changes, by: actor.body.playerId, via: 'game', settled: (reason) => answer(reason) })
    },
    mayEdit: (actor, edit) => holds(actor, permission, edit) && guard?.(actor, [edit]) === undefined,
    step: journal.step,
  }
}
