import type { BlockSpan } from '../../../../play/render/frame.ts'
import type { FeedBlock, ZoneFeed } from '../../../../sdk/admin.ts'
import type { BlockPos } from '../../../../sdk/world.ts'
import { describeProblem } from '../../../parts/problem-box.tsx'
import { tell } from '../../../parts/toasts.tsx'
import { isWithin } from '../scene/clip-planes.ts'
import { words } from '../words.ts'
import { type Change, createEditHistory, reverse } from './edit-history.ts'
import type { EditorModel } from './editor-model.ts'
import { createPendingBlocks } from './pending-blocks.ts'

type Options = {
  readonly model: EditorModel
  readonly typeAt: (at: BlockPos) => string | undefined
  readonly isOwn: (at: BlockPos) => boolean
  /** Shows blocks before the server has said anything. */
  readonly show: (edits: readonly FeedBlock[]) => void
  readonly edit: (edits: readonly FeedBlock[]) => ReturnType<ZoneFeed['edit']>
}

/** Edits blocks. Shows changes at once, and reverts them if the server refuses. */
export type Building = {
  /** Changes one block; `air` breaks it. */
  put(at: BlockPos, type: string): Promise<void>
  /** The box between the mark and the cursor, both included. */
  markedBox(): BlockSpan | undefined
  /** Changes all loaded blocks of the marked box. */
  fill(type: string): Promise<void>
  undo(): Promise<void>
  redo(): Promise<void>
}

/** The most blocks in one message. */
const editsMax = 4_096
/** The most blocks in one fill. */
export const filledMax = 32_768

type Keep = (changes: readonly Change[]) => void

const spanBetween = (one: BlockPos, other: BlockPos): BlockSpan => ({
  minX: Math.min(one.x, other.x),
  maxX: Math.max(one.x, other.x),
  minY: Math.min(one.y, other.y),
  maxY: Math.max(one.y, other.y),
  minZ: Math.min(one.z, other.z),
  maxZ: Math.max(one.z, other.z),
})

export const countBlocks = ({ minX, minY, minZ, maxX, maxY, maxZ }: BlockSpan): number =>
  (maxX - minX + 1) * (maxY - minY + 1) * (maxZ - minZ + 1)

const listSpan = function* ({ minX, minY, minZ, maxX, maxY, maxZ }: BlockSpan): Generator<BlockPos> {
  for (let y = minY; y <= maxY; y += 1)
    for (let z = minZ; z <= maxZ; z += 1) for (let x = minX; x <= maxX; x += 1) yield { x, y, z }
}

export const createBuilding = ({ model, typeAt, isOwn, show, edit }: Options): Building => {
  const history = createEditHistory()
  /** Changes without an answer so far. */
  let underWay: Promise<unknown> = Promise.resolve()
  let isGoingBack = false
  let sent = 0
  const noteSteps = (): void => {
    model.steps.value = { canUndo: history.canUndo(), canRedo: history.canRedo() }
  }
  const pending = createPendingBlocks()
  const takeBack = (changes: readonly Change[]): void => {
    const back = pending.refused(changes)
    // Unless the server has sent the block since then.
    show(back.filter((one) => typeAt(one) === one.after).map(({ x, y, z, before }) => ({ x, y, z, type: before })))
  }
  /** Sends changes in as many messages as needed, and reverts refused ones. Returns the accepted changes. */
  const send = async (changes: readonly Change[]): Promise<readonly Change[]> => {
    const edits = changes.map(({ x, y, z, after }) => ({ x, y, z, type: after }))
    pending.sent(changes)
    show(edits)
    sent += 1
    model.isBusy.value = true
    let done = 0
    const made: Change[] = []
    try {
      while (done < edits.length) {
        const { ok, reason, rejected } = await edit(edits.slice(done, done + editsMax))
        if (!ok) throw new Error(words.editor.refused(reason ?? rejected[0]?.reason ?? ''))
        made.push(...pending.made(changes.slice(done, done + editsMax)))
        done += editsMax
      }
      return made
    } catch (error) {
      takeBack(changes.slice(done))
      tell(error instanceof Error && error.name === 'Error' ? error.message : describeProblem(error))
      return made
    } finally {
      sent -= 1
      model.isBusy.value = sent > 0
    }
  }
  const make = async (wanted: readonly Change[]): Promise<void> => {
    if (wanted.length === 0) return
    const made = send(wanted)
    underWay = Promise.all([underWay, made])
    history.add(await made)
    noteSteps()
  }
  const changeTo = (at: BlockPos, type: string): readonly Change[] => {
    const before = typeAt(at)
    return before === undefined || before === type ? [] : [{ x: at.x, y: at.y, z: at.z, before, after: type }]
  }
  const markedBox = (): BlockSpan | undefined => {
    const mark = model.mark.value
    return mark && spanBetween(mark, model.cursor.value)
  }
  /** Undoes or redoes after all answers. Changes that could not be sent can be retried. */
  const goBack = async (take: () => readonly Change[] | undefined, to: Keep, from: Keep): Promise<void> => {
    if (isGoingBack) return
    isGoingBack = true
    await underWay
    isGoingBack = false
    const steps = take()
    if (steps === undefined) return
    const back = reverse(steps, (x, y, z) => typeAt({ x, y, z }))
    if (back.length < steps.length) tell(words.editor.skipped(steps.length - back.length))
    const made = send(back)
    underWay = Promise.all([underWay, made])
    const done = await made
    if (done.length > 0 || back.length === 0) to(done)
    else from(steps)
    noteSteps()
  }
  return {
    markedBox,
    put: async (at, type) => {
      if (!isOwn(at)) return tell(words.editor.outside)
      if (!isWithin(model.shown.peek(), at)) return tell(words.editor.cutAway)
      await make(changeTo(at, type))
    },
    fill: async (type) => {
      const box = markedBox()
      if (box === undefined) return
      if (countBlocks(box) > filledMax) return tell(words.editor.tooMany(filledMax))
      const wanted = [...listSpan(box)].filter((at) => isOwn(at) && isWithin(model.shown.peek(), at))
      const unknown = wanted.filter((at) => typeAt(at) === undefined).length
      if (unknown > 0) tell(words.editor.unknown(unknown))
      await make(wanted.flatMap((at) => changeTo(at, type)))
      model.mark.value = undefined
    },
    undo: () => goBack(history.takeUndo, history.putUndone, history.putRedone),
    redo: () => goBack(history.takeRedo, history.putRedone, history.putUndone),
  }
}
