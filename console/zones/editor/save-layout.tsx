import { useState } from 'preact/hooks'
import { ProblemBox } from '../../parts/problem-box.tsx'
import { tell } from '../../parts/toasts.tsx'
import { call } from '../../state/api.ts'
import { mayDo } from '../../state/session.ts'
import { over, readZone } from '../zone.ts'
import { type EditorModel, takeLayout, takeZone } from './building/editor-model.ts'
import { words } from './words.ts'

/** Shown when another admin saved a layout after the changes here began. */
const OldLayout = ({ model }: { readonly model: EditorModel }) => (
  <div class="box box-warn" role="alert">
    <p>{words.editor.layoutOld}</p>
    <div class="actions">
      <button type="button" onClick={() => takeLayout(model, false)}>
        {words.editor.takeTheirs}
      </button>
      <button type="button" onClick={() => takeLayout(model, true)}>
        {words.editor.keepMine}
      </button>
    </div>
  </div>
)

/** Saves planes and shortcuts with the zone, for all its editors. */
export const SaveLayout = ({ model }: { readonly model: EditorModel }) => {
  const [error, setError] = useState<unknown>()
  const save = async (): Promise<void> => {
    setError(undefined)
    try {
      const read = await readZone(model.zone.peek().id)
      takeZone(model, read.zone)
      // The user decides about a newer stored layout.
      if (model.isLayoutOld.peek()) return
      const body = { clipPlanes: model.planes.peek(), shortcutBarPages: model.pages.peek() }
      const answer = await call('PUT /api/admin/instances/{id}/layout', { ...over(read), body })
      takeZone(model, answer.body)
      takeLayout(model, true)
      tell(words.editor.layoutSaved)
    } catch (problem) {
      setError(problem)
    }
  }
  if (!mayDo('admin.instances.write') || !model.isLayoutChanged.value) return null
  if (model.isLayoutOld.value) return <OldLayout model={model} />
  return (
    <section class="box">
      <p>{words.editor.layoutChanged}</p>
      <ProblemBox error={error} />
      <div class="actions">
        <button type="button" class="main" onClick={() => void save()}>
          {words.editor.keepLayout}
        </button>
        <button type="button" onClick={() => takeLayout(model, false)}>
          {words.editor.resetLayout}
        </button>
      </div>
    </section>
  )
}
