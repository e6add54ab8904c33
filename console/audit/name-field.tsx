import { useId, useState } from 'preact/hooks'
import { Field } from '../parts/field.tsx'
import { SearchField } from '../parts/search-field.tsx'
import { call } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { mayDo } from '../state/session.ts'

type Suggestion = { readonly value: string; readonly label: string }

const offeredMax = 8

const findAccounts = async (text: string, signal: AbortSignal): Promise<readonly Suggestion[]> => {
  if (text === '' || !mayDo('admin.users.read')) return []
  const { users } = (await call('GET /api/admin/users', { query: { q: text, limit: offeredMax }, signal })).body
  return users.map(({ email, displayName }) => ({ value: email, label: displayName }))
}

/** A filter for an exact name. It suggests the emails of accounts whose name or email has the text, and `others`. */
export const NameField = ({
  label,
  hint,
  value,
  change,
  others,
}: {
  readonly label: string
  readonly hint: string
  readonly value: string
  readonly change: (text: string) => void
  readonly others: readonly Suggestion[]
}) => {
  const id = useId()
  const [typed, setTyped] = useState('')
  const text = typed.trim().toLowerCase()
  const accounts = useLoad((signal) => findAccounts(text, signal), [text])
  const isMeant = (one: Suggestion) => text !== '' && `${one.value} ${one.label}`.toLowerCase().includes(text)
  return (
    <Field label={label} hint={hint}>
      <SearchField value={value} maxLength={254} change={change} list={id} typed={setTyped} />
      <datalist id={id}>
        {[...others.filter(isMeant), ...(accounts.value ?? [])].slice(0, offeredMax).map((one) => (
          <option key={one.value} value={one.value}>
            {one.label}
          </option>
        ))}
      </datalist>
    </Field>
  )
}
