import type { BlockEdit, BlockType, EditResult, ModuleRefusal, Position } from '../../sdk/client.ts'
import {
  type BlockCache,
  type BlockPos,
  directionOf,
  eyeHeight,
  isWithinReach,
  type RayHit,
  reachBlocks,
  touchesBody,
  walkRay,
} from '../../sdk/world.ts'

/**
 * A refusal: a code and, for missing permissions, the permission and place. `explain` is the path of the explanation, for players who
 * can read it.
 */
export type BuildRefusal = { readonly reason: string; readonly detail: string; readonly explain?: string | undefined }

export type BuilderOptions = {
  readonly blocks: BlockCache
  readonly edit: (edits: readonly BlockEdit[]) => Promise<EditResult>
  /** Shows blocks before the server answers. */
  readonly show: (edits: readonly BlockEdit[]) => void
  readonly onRefused: (refusal: BuildRefusal) => void
  readonly isFluid: (kind: BlockType) => boolean
}

/** Places and breaks blocks. Shows changes at once, and reverts them if the server refuses. */
export type Builder = {
  /** The block under the crosshair, seen through water. */
  findTarget(place: Position): RayHit | undefined
  place(place: Position, type: string): boolean
  remove(place: Position): boolean
  /** Call with the server's changes, after `blocks` has them. */
  noteChanged(edits: readonly BlockEdit[]): void
}

/** The code of a refusal and its detail: the words of the module that refused, if any. */
export const parseReason = (reason: string, refusedBy?: ModuleRefusal): BuildRefusal => {
  const colon = reason.indexOf(': ')
  if (colon < 0) return { reason, detail: '' }
  return { reason: reason.slice(0, colon), detail: refusedBy?.text ?? reason.slice(colon + 2) }
}

/** A position with unanswered edits. */
type Pending = {
  unanswered: number
  /** The server's block, as far as known. */
  of: string
  shown: string
  /** Whether the server has sent the block, which is newer than any pending answer. */
  isTold: boolean
  /** Edits that are neither confirmed nor refused. */
  ahead: readonly string[]
}

const keyOf = ({ x, y, z }: BlockPos): string => `${x} ${y} ${z}`

const nothing: BlockType = { index: 0, id: 'air', colour: 0, solid: false }

export const createBuilder = ({ blocks, edit, show, onRefused, isFluid }: BuilderOptions): Builder => {
  const seen = {
    blockAt: (x: number, y: number, z: number) => {
      const kind = blocks.blockAt(x, y, z)
      return kind !== undefined && isFluid(kind) ? nothing : kind
    },
  }
  const findTarget = (place: Position): RayHit | undefined => {
    const hit = walkRay(seen, { x: place.x, y: place.y + eyeHeight, z: place.z }, directionOf(place), reachBlocks)
    return hit !== undefined && isWithinReach(place, hit.block) ? hit : undefined
  }
  const places = new Map<string, Pending>()
  const build = (at: BlockPos, type: string): boolean => {
    const was = blocks.blockAt(at.x, at.y, at.z)
    if (was === undefined || was.id === type) return false
    const key = keyOf(at)
    const known = places.get(key)
    // A reloaded column also counts as the server's state.
    const fresh = { unanswered: 0, of: was.id, shown: was.id, isTold: false, ahead: [] }
    const place: Pending = known?.shown === was.id ? known : fresh
    places.set(key, place)
    place.unanswered += 1
    place.shown = type
    place.ahead = [...place.ahead, type]
    // Before it is shown, because the edit refers to the previous block.
    const answer = edit([{ ...at, type }])
    show([{ ...at, type }])
    const settle = (): void => {
      place.unanswered -= 1
      if (place.unanswered > 0 || places.get(key) !== place) return
      places.delete(key)
      // Unless the server has sent the block since then.
      if (place.shown !== place.of && blocks.blockAt(at.x, at.y, at.z)?.id === place.shown) show([{ ...at, type: place.of }])
    }
    const takeBack = (refusal: BuildRefusal): void => {
      const which = place.ahead.indexOf(type)
      place.ahead = place.ahead.filter((_, index) => index !== which)
      settle()
      onRefused(refusal)
    }
    answer.then(
      ({ ok, reason, explain, refusedBy }) => {
        if (!ok) return takeBack({ ...parseReason(reason, refusedBy), explain })
        if (!place.isTold) place.of = type
        settle()
      },
      (error: unknown) => takeBack({ reason: 'lost', detail: error instanceof Error ? error.message : '' }),
    )
    return true
  }
  return {
    findTarget,
    place: (place, type) => {
      const target = findTarget(place)
      if (target === undefined) return false
      const at = target.kind.solid ? target.before : target.block
      const kind = blocks.placeable().find(({ id }) => id === type)
      if (at.y < 0 || at.y > 255) return false
      if (kind === undefined) {
        onRefused({ reason: 'unknown-block', detail: type })
        return false
      }
      if (!isWithinReach(place, at) || (kind.solid && touchesBody(place, { min: at, max: at }))) return false
      return build(at, type)
    },
    remove: (place) => {
      const target = findTarget(place)
      return target !== undefined && build(target.block, 'air')
    },
    noteChanged: (edits) => {
      if (places.size === 0) return
      for (const change of edits) {
        const place = places.get(keyOf(change))
        if (place === undefined) continue
        place.of = change.type
        place.isTold = true
        const own = place.ahead.indexOf(change.type)
        if (own >= 0) place.ahead = place.ahead.slice(own + 1)
        // Keeps later edits visible, without a flash of the previous block.
        if (own >= 0 && place.ahead.length > 0) show([{ ...change, type: place.shown }])
        else place.shown = change.type
      }
    },
  }
}
