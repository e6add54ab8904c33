import { mayDo } from '../../state/session.ts'
import { countBlocks } from './building/building.ts'
import { moveCursor } from './building/editor-keys.ts'
import type { EditorModel } from './building/editor-model.ts'
import { chosenKind, createHands } from './building/hands.ts'
import type { Editor } from './building/open-editor.ts'
import { axes } from './scene/clip-planes.ts'
import { words } from './words.ts'

type Props = { readonly model: EditorModel; readonly editor: Editor }

/** The box between the mark and the cursor, with its actions. */
const FillBox = ({ model, editor }: Props) => {
  const box = editor.markedBox()
  const kind = chosenKind(model, editor)
  const isBusy = model.isBusy.value
  if (box === undefined)
    return (
      <button
        type="button"
        onClick={() => {
          model.mark.value = model.cursor.peek()
        }}
      >
        {words.editor.mark}
      </button>
    )
  const count = countBlocks(box)
  return (
    <>
      <p class="quiet">{words.editor.marked(count)}</p>
      <div class="actions">
        <button type="button" disabled={isBusy || kind === null} onClick={() => void editor.fill(kind ?? 'air')}>
          {words.editor.fill(count)}
        </button>
        <button type="button" disabled={isBusy} onClick={() => void editor.fill('air')}>
          {words.editor.empty(count)}
        </button>
        <button
          type="button"
          onClick={() => {
            model.mark.value = undefined
          }}
        >
          {words.cancel}
        </button>
      </div>
    </>
  )
}

/** The keyboard cursor as numbers, with its actions. */
export const CursorPanel = ({ model, editor }: Props) => {
  const at = model.cursor.value
  // Subscribes to block changes.
  void model.loaded.value
  const type = editor.typeAt(at)
  const { keys } = createHands(model, editor)
  return (
    <section>
      <h2>{words.editor.cursor}</h2>
      <div class="map-numbers">
        {axes.map((axis) => (
          <label key={axis} class="field">
            <span>{axis}</span>
            <input
              type="number"
              value={at[axis]}
              onChange={({ currentTarget }) => {
                if (Number.isInteger(currentTarget.valueAsNumber))
                  moveCursor(model, { ...at, [axis]: currentTarget.valueAsNumber })
              }}
            />
          </label>
        ))}
      </div>
      <p role="status">{type === undefined ? words.editor.notHere : words.editor.stands(type, editor.kinds.nameOf(type))}</p>
      {mayDo('admin.instances.write') && (
        <>
          <div class="actions">
            <button type="button" onClick={keys.place}>
              {words.editor.placeHere}
            </button>
            <button type="button" disabled={type === undefined || type === 'air'} onClick={keys.remove}>
              {words.editor.breakHere}
            </button>
            <button type="button" disabled={type === undefined || type === 'air'} onClick={keys.pick}>
              {words.editor.pickHere}
            </button>
          </div>
          <FillBox model={model} editor={editor} />
        </>
      )}
    </section>
  )
}
