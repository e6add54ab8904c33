import { useState } from 'preact/hooks'
import { Field } from '../../parts/field.tsx'
import { type Column, columnsMax, countRectangle, listRectangle } from '../scene/columns.ts'
import { addColumns, type Draft, removeColumns } from '../scene/draft.ts'
import { words } from '../words.ts'

type Corners = { readonly from: Column; readonly to: Column }

const readCorners = (form: HTMLFormElement): Corners | undefined => {
  const fields = new FormData(form)
  const [fromX, fromZ, toX, toZ] = ['fromCx', 'fromCz', 'toCx', 'toCz'].map((name) => {
    const text = String(fields.get(name)).trim()
    return text === '' ? Number.NaN : Number(text)
  })
  if (fromX === undefined || fromZ === undefined || toX === undefined || toZ === undefined) return undefined
  if (![fromX, fromZ, toX, toZ].every(Number.isSafeInteger)) return undefined
  return { from: { cx: fromX, cz: fromZ }, to: { cx: toX, cz: toZ } }
}

/** Number fields for rectangles, as an alternative to the pointer. */
export const ColumnFields = ({ change }: { readonly change: (act: (draft: Draft) => Draft) => void }) => {
  const [fault, setFault] = useState<string>()
  const act = (button: HTMLButtonElement, edit: typeof addColumns): void => {
    const corners = button.form === null ? undefined : readCorners(button.form)
    if (corners === undefined) setFault(words.map.draft.notAColumn)
    else if (countRectangle(corners.from, corners.to) > columnsMax) setFault(words.map.draft.tooMany(columnsMax))
    else {
      setFault(undefined)
      change((draft) => edit(draft, listRectangle(corners.from, corners.to)))
    }
  }
  return (
    <form onSubmit={(event) => event.preventDefault()}>
      <fieldset>
        <legend>{words.map.draft.rectangle}</legend>
        <div class="map-numbers">
          {(['fromCx', 'fromCz', 'toCx', 'toCz'] as const).map((name) => (
            <Field key={name} label={words.map.draft[name]}>
              <input name={name} inputMode="numeric" autocomplete="off" />
            </Field>
          ))}
        </div>
        <small>{words.map.draft.rectangleHint}</small>
        {fault !== undefined && (
          <p class="bad-text" role="alert">
            {fault}
          </p>
        )}
        <div class="actions">
          <button type="submit" onClick={(event) => act(event.currentTarget, addColumns)}>
            {words.map.draft.addColumns}
          </button>
          <button type="button" onClick={(event) => act(event.currentTarget, removeColumns)}>
            {words.map.draft.removeColumns}
          </button>
        </div>
      </fieldset>
    </form>
  )
}
