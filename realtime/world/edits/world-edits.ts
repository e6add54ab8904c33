import type { BlockRegistry } from '../../../shared/worlds/chunks/block-registry.ts'
import type { BlockEdit, EditBlocks } from '../../protocol/generated/gatehouse.ts'
import type { ServerMessageKind } from '../../protocol/messages.ts'
import type { Point } from '../physics/reach.ts'
import type { BlockChange, EditJournal } from './edit-journal.ts'
import { type EditSurroundings, findPlaceRefusal, type ReadEdits, readEdits } from './find-edit-refusal.ts'

/** What has to be known of a session to edit for it. */
export type EditActor = {
  readonly body: Point & { readonly playerId: string }
  readonly connection: { send(message: ServerMessageKind): void } | undefined
}

/** Players' edits of the world. An EditResult follows each: at once when it is refused, else as soon as it is durable or was undone. */
export type WorldEdits<Actor extends EditActor> = {
  /** Within a tick. */
  edit(actor: Actor, message: EditBlocks): void
  /** Once a tick, after the inbox: the viewers hear of changes and the senders what came of theirs. */
  step(): void
}

export type WorldEditsDeps<Actor> = EditSurroundings & {
  readonly registry: Pick<BlockRegistry, 'find' | 'isSolid'>
  readonly journal: EditJournal
  /** Whether the actor holds the permission at this moment, for that block. */
  readonly holds: (actor: Actor, permission: string, at: BlockEdit) => boolean
  /** A reason against the edits that somebody else has, such as a zone's. */
  readonly guard?: (actor: Actor, edits: readonly BlockEdit[]) => string | undefined
  /** Called with each answer: the reason of a refusal, or undefined. */
  readonly answered?: (refusal: string | undefined) => void
}

const permission = 'world.build'

/** Edits by the rules of the game; reasons are those that `gatehouse.proto` lists at EditResult. */
export const createWorldEdits = <Actor extends EditActor>(deps: WorldEditsDeps<Actor>): WorldEdits<Actor> => {
  const { registry, journal, holds, guard, answered } = deps

  const findRefusal = (actor: Actor, edits: readonly BlockEdit[], changes: readonly BlockChange[]): string | undefined => {
    if (!edits.every((at) => holds(actor, permission, at))) return `missing-permission: ${permission}`
    return journal.findRefusal(actor.body.playerId) ?? findPlaceRefusal(deps, actor.body, changes) ?? guard?.(actor, edits)
  }

  const decide = (actor: Actor, edits: readonly BlockEdit[]): ReadEdits => {
    const read = readEdits(edits, registry)
    const refusal = 'refusal' in read ? read.refusal : findRefusal(actor, edits, read.changes)
    return refusal === undefined ? read : { refusal }
  }

  return {
    edit: (actor, { seq, edits }) => {
      const answer = (refusal: string | undefined): void => {
        answered?.(refusal)
        actor.connection?.send({ $case: 'editResult', value: { seq, ok: refusal === undefined, reason: refusal ?? '' } })
      }
      const decided = decide(actor, edits)
      if ('refusal' in decided) answer(decided.refusal)
      else journal.apply({ changes: decided.changes, by: actor.body.playerId, via: 'game', settled: answer })
    },
    step: journal.step,
  }
}
