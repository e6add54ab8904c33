import { useState } from 'preact/hooks'
import { words } from '../words.ts'

type Props = { readonly taken: readonly string[]; readonly add: (name: string) => void }

/** Adds a named entry to a record. Not a form element, because it can be inside a form. */
export const AddEntry = ({ taken, add }: Props) => {
  const [name, setName] = useState('')
  const isGood = name.trim() !== '' && !taken.includes(name.trim())
  const submit = () => {
    if (!isGood) return
    add(name.trim())
    setName('')
  }
  return (
    <div class="form-add">
      <input
        aria-label={words.configs.entryName}
        placeholder={words.configs.entryName}
        value={name}
        autocomplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => setName(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && !event.isComposing) submit()
        }}
      />
      <button type="button" disabled={!isGood} onClick={submit}>
        {words.configs.addEntry}
      </button>
    </div>
  )
}
