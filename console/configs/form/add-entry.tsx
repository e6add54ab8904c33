import { useState } from 'preact/hooks'
import { words } from '../../words.ts'

type Props = { readonly taken: readonly string[]; readonly add: (name: string) => void }

/** Adds an entry to a record by its name. Not a form: it may stand in one. */
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
