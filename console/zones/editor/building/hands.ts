import { mayDo } from '../../../state/session.ts'
import type { Press } from './editor-gestures.ts'
import type { KeyActs } from './editor-keys.ts'
import { type EditorModel, fillSlot, slotsOf, type Target } from './editor-model.ts'
import type { Editor } from './open-editor.ts'

/** Acts on clicks and keys with the selected tool and slot. */
export type Hands = {
  click(target: Target | undefined, press: Press): void
  readonly keys: KeyActs
}

/** The kind in the selected slot. */
export const chosenKind = (model: EditorModel, editor: Editor): string | null =>
  slotsOf(model, editor.kinds.listed)[model.slot.value] ?? null

/** Without the permission to build, the hands only look. */
export const createHands = (model: EditorModel, editor: Editor): Hands => {
  const place = (at: Target['before']): void => {
    const kind = chosenKind(model, editor)
    if (kind !== null && mayDo('admin.instances.write')) void editor.put(at, kind)
  }
  const remove = (at: Target['before']): void => {
    if (mayDo('admin.instances.write')) void editor.put(at, 'air')
  }
  const pick = (at: Target['before']): void => {
    const type = editor.typeAt(at)
    if (type === undefined || type === 'air') return
    const known = slotsOf(model, editor.kinds.listed).indexOf(type)
    if (known >= 0) model.slot.value = known
    else fillSlot(model, editor.kinds.listed, type)
  }
  return {
    click: (target, press) => {
      if (target === undefined) return
      const { block, before } = target
      model.cursor.value = block ?? before
      const tool = press === 'other' ? 'break' : model.tool.peek()
      if (press === 'other' && model.tool.peek() === 'look') return
      if (tool === 'place') place(before)
      else if (tool === 'break' && block !== undefined) remove(block)
      else if (tool === 'pick' && block !== undefined) pick(block)
    },
    keys: {
      place: () => place(model.cursor.peek()),
      remove: () => remove(model.cursor.peek()),
      pick: () => pick(model.cursor.peek()),
      undo: () => void editor.undo(),
      redo: () => void editor.redo(),
    },
  }
}
