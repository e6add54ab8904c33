import { mayDo } from '../../state/session.ts'
import type { EditorModel, Tool } from './building/editor-model.ts'
import type { Editor } from './building/open-editor.ts'
import { zoom } from './scene/camera.ts'
import { words } from './words.ts'

const tools: readonly Tool[] = ['look', 'place', 'break', 'pick']

/** The tools, undo and redo, and zoom. */
export const EditorTools = ({ model, editor }: { readonly model: EditorModel; readonly editor: Editor }) => {
  const mayWrite = mayDo('admin.instances.write')
  const { canUndo, canRedo } = model.steps.value
  const look = (factor: number) => () => {
    model.camera.value = zoom(model.camera.peek(), factor)
  }
  return (
    <div class="map-tools">
      {mayWrite && (
        <>
          {/* biome-ignore lint/a11y/useSemanticElements: a row of buttons, not of fields. */}
          <div class="actions" role="group" aria-label={words.editor.tools.title}>
            {tools.map((tool) => (
              <button
                key={tool}
                type="button"
                aria-pressed={model.tool.value === tool}
                onClick={() => {
                  model.tool.value = tool
                }}
              >
                {words.editor.tools[tool]}
              </button>
            ))}
          </div>
          <div class="actions">
            <button type="button" disabled={!canUndo || model.isBusy.value} onClick={() => void editor.undo()}>
              {words.editor.undo}
            </button>
            <button type="button" disabled={!canRedo || model.isBusy.value} onClick={() => void editor.redo()}>
              {words.editor.redo}
            </button>
          </div>
        </>
      )}
      <div class="actions">
        <button type="button" aria-label={words.editor.zoomIn} onClick={look(0.8)}>
          +
        </button>
        <button type="button" aria-label={words.editor.zoomOut} onClick={look(1.25)}>
          −
        </button>
      </div>
    </div>
  )
}
