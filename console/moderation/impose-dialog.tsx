import { useState } from 'preact/hooks'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { tellDone } from '../parts/toasts.tsx'
import { readUntil, UntilField } from '../parts/until-field.tsx'
import { findEmail } from '../people/find-person.ts'
import { call } from '../state/api.ts'
import { words } from '../words.ts'

const kinds = ['mute', 'warning', 'ban'] as const
export type SanctionKind = (typeof kinds)[number]

export const findKind = (text: string | null): SanctionKind | undefined => kinds.find((one) => one === text)

const isAddress = (text: string): boolean => text.includes(':') || /^[\d./]+$/.test(text)

/** The account or the addresses to sanction. A display name is looked up. */
const readWhom = async (text: string): Promise<{ readonly address: string } | { readonly email: string }> => {
  if (isAddress(text)) return { address: text }
  return { email: text.includes('@') ? text : await findEmail(text) }
}

/** Bans, mutes or warns an account; without an email, a player or an address to enter. */
export const ImposeDialog = ({
  email,
  kind: first = 'mute',
  whom = '',
  close,
}: {
  readonly email: string | undefined
  readonly kind?: SanctionKind
  /** The first value of the field without an email. */
  readonly whom?: string
  readonly close: () => void
}) => {
  const [kind, setKind] = useState(first)
  const submit = async (fields: FormData): Promise<void> => {
    const text = (name: string) => String(fields.get(name) ?? '').trim()
    const whom = email === undefined ? await readWhom(text('whom')) : { email }
    const note = text('note')
    const body = { kind, ...whom, reason: text('reason'), ...(note !== '' && { note }), ...readUntil(fields) }
    tellDone(words.sanctions.imposed, await call('POST /api/admin/sanctions', { body }))
  }
  return (
    <FormDialog title={words.sanctions.impose} action={words.sanctions.act[kind]} isBad close={close} submit={submit}>
      {email === undefined && (
        <Field label={words.sanctions.whomField} hint={words.sanctions.address}>
          <input name="whom" required maxLength={254} autocomplete="off" defaultValue={whom} />
        </Field>
      )}
      <Field label={words.sanctions.kind}>
        <select value={kind} onChange={({ currentTarget: { value } }) => setKind(findKind(value) ?? 'mute')}>
          {kinds.map((one) => (
            <option key={one} value={one}>
              {words.sanctions[one]}
            </option>
          ))}
        </select>
      </Field>
      {kind !== 'warning' && <UntilField label={words.sanctions.forHowLong} />}
      <Field label={words.sanctions.reason}>
        <input name="reason" required maxLength={500} autocomplete="off" />
      </Field>
      <Field label={words.sanctions.note}>
        <textarea name="note" rows={2} maxLength={2000} />
      </Field>
    </FormDialog>
  )
}
