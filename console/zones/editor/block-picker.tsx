import { useState } from 'preact/hooks'
import { Field } from '../../parts/field.tsx'
import { type EditorModel, fillSlot } from './building/editor-model.ts'
import { KindIcon } from './kind-icon.tsx'
import type { ListedKind } from './scene/block-kinds.ts'
import { words } from './words.ts'

const shownMax = 48

/** All block kinds by name. Choosing one puts it into the selected slot. */
export const BlockPicker = ({ model, kinds }: { readonly model: EditorModel; readonly kinds: readonly ListedKind[] }) => {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const found = kinds.filter(({ id, name }) => id.includes(wanted) || name.toLowerCase().includes(wanted))
  return (
    <section>
      <h2>{words.editor.kinds}</h2>
      <Field label={words.editor.findKind}>
        <input type="search" autocomplete="off" value={search} onInput={({ currentTarget }) => setSearch(currentTarget.value)} />
      </Field>
      <ul class="kinds">
        {found.slice(0, shownMax).map(({ id, name }) => (
          <li key={id}>
            <button type="button" onClick={() => fillSlot(model, kinds, id)}>
              <KindIcon kinds={kinds} id={id} /> <span>{name}</span>
            </button>
          </li>
        ))}
        <li>
          <button type="button" onClick={() => fillSlot(model, kinds, null)}>
            <KindIcon kinds={kinds} id={null} /> {words.editor.emptySlot}
          </button>
        </li>
      </ul>
      {found.length > shownMax && <p class="quiet">{words.editor.moreKinds(found.length - shownMax)}</p>}
    </section>
  )
}
