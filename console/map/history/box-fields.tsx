import { useState } from 'preact/hooks'
import { Field } from '../../parts/field.tsx'
import { words } from '../words.ts'

/** Blocks, both ends included. */
export type Box = {
  readonly minX: number
  readonly minY: number
  readonly minZ: number
  readonly maxX: number
  readonly maxY: number
  readonly maxZ: number
}

const keys = ['minX', 'maxX', 'minY', 'maxY', 'minZ', 'maxZ'] as const

const axisOf = (key: (typeof keys)[number]): string => words.map.history[key.endsWith('X') ? 'x' : key.endsWith('Y') ? 'y' : 'z']

const readBox = (form: HTMLFormElement): Box | undefined => {
  const fields = new FormData(form)
  const [minX = 0, maxX = 0, minY = 0, maxY = 0, minZ = 0, maxZ = 0] = keys.map((key) => {
    const text = String(fields.get(key)).trim()
    return text === '' ? Number.NaN : Number(text)
  })
  const isBox = [minX, maxX, minY, maxY, minZ, maxZ].every(Number.isSafeInteger) && minX <= maxX && minY <= maxY && minZ <= maxZ
  return isBox ? { minX, minY, minZ, maxX, maxY, maxZ } : undefined
}

/** Number fields for a box, as an alternative to the pointer. */
export const BoxFields = ({ box, set }: { readonly box: Box; readonly set: (box: Box) => void }) => {
  const [isWrong, setWrong] = useState(false)
  // Moving the pointer does not overwrite the user's input.
  const [typed, setTyped] = useState<Partial<Record<keyof Box, string>>>({})
  // A focused field keeps its value, or a new digit would be appended to a changed number.
  const [held, setHeld] = useState<Box>()
  return (
    <form
      onFocusIn={() => setHeld((before) => before ?? box)}
      onFocusOut={({ currentTarget, relatedTarget }) => {
        if (!(relatedTarget instanceof Node && currentTarget.contains(relatedTarget))) setHeld(undefined)
      }}
      onSubmit={(event) => {
        event.preventDefault()
        const read = readBox(event.currentTarget)
        setWrong(read === undefined)
        if (read === undefined) return
        setTyped({})
        setHeld(undefined)
        set(read)
      }}
    >
      <fieldset>
        <legend>{words.map.history.pinned}</legend>
        <div class="map-numbers">
          {keys.map((key) => (
            <Field key={key} label={`${key.startsWith('min') ? words.map.history.from : words.map.history.to} ${axisOf(key)}`}>
              <input
                name={key}
                inputMode="numeric"
                autocomplete="off"
                value={typed[key] ?? String((held ?? box)[key])}
                onInput={({ currentTarget: { value } }) => setTyped((before) => ({ ...before, [key]: value }))}
              />
            </Field>
          ))}
        </div>
        {isWrong && (
          <p class="bad-text" role="alert">
            {words.map.history.notABox}
          </p>
        )}
        <button type="submit">{words.map.history.set}</button>
      </fieldset>
    </form>
  )
}
