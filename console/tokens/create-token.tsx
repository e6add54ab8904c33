import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { GatehouseError } from '../../sdk/auth.ts'
import { Copyable } from '../parts/copyable.tsx'
import { Dialog, FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Named } from '../parts/named.tsx'
import { readUntil, tokenSpans, UntilField } from '../parts/until-field.tsx'
import { call } from '../state/api.ts'
import { knownPermissions } from '../state/generated/permission-list.ts'
import { may } from '../state/session.ts'
import { words } from '../words.ts'

type Created = Answer<'POST /auth/tokens'>['body']

/** The subjects of permissions by theme. All others are of the server. */
const themes: readonly { readonly name: keyof typeof words.tokens.inApi; readonly subjects: readonly string[] }[] = [
  { name: 'people', subjects: ['users', 'sanctions', 'players', 'announcements'] },
  { name: 'world', subjects: ['worlds', 'instances', 'history'] },
  { name: 'server', subjects: [] },
]

const gamePermissions = ['game.join', 'world.build', 'zone.build', 'world.fly', 'command.*'] as const

/** The permissions of the user for routes, by theme. API tokens cannot manage API tokens. */
const listThemes = () => {
  const held = [...(may.value?.permissions ?? [])].filter((permission) => !permission.startsWith('admin.tokens.')).toSorted()
  const themeOf = (permission: string) =>
    themes.find(({ subjects }) => subjects.includes(permission.split('.')[1] ?? ''))?.name ?? 'server'
  return themes
    .map(({ name }) => ({ name, permissions: held.filter((permission) => themeOf(permission) === name) }))
    .filter(({ permissions }) => permissions.length > 0)
}

const describePermission = (permission: string): string | undefined =>
  knownPermissions.find(({ name }) => name === permission)?.opens

const Choice = ({ permission, says }: { readonly permission: string; readonly says: string | undefined }) => (
  <label class="check">
    <input type="checkbox" name="permission" value={permission} />
    <span>
      <code>{permission}</code> {says !== undefined && <span class="quiet">{says}</span>}
    </span>
  </label>
)

/** The chosen and the typed permissions, without repetitions. */
const readPermissions = (fields: FormData): readonly string[] => {
  const typed = String(fields.get('others') ?? '').split(/[\s,]+/)
  return [...new Set([...fields.getAll('permission').map(String), ...typed])].filter((permission) => permission !== '')
}

const Secret = ({ token, close }: { readonly token: Created; readonly close: () => void }) => (
  <Dialog title={<Named say={words.tokens.createdTitle} names={[token.name]} />}>
    <p class="box box-warn">{words.tokens.once}</p>
    <Copyable text={token.token} label={words.tokens.secret} />
    <p class="quiet">{words.tokens.howToUse}</p>
    <footer>
      <button type="button" class="main" onClick={close}>
        {words.tokens.done}
      </button>
    </footer>
  </Dialog>
)

/** Creates an API token of the current user, and shows its secret. Escape does not close the secret. */
export const CreateToken = ({ close, changed }: { readonly close: () => void; readonly changed: () => void }) => {
  const [created, setCreated] = useState<Created>()
  if (created !== undefined) return <Secret token={created} close={close} />
  const submit = async (fields: FormData): Promise<void> => {
    const permissions = readPermissions(fields)
    if (permissions.length === 0) throw new GatehouseError('invalid', words.tokens.noPermissions)
    const { until } = readUntil(fields)
    const name = String(fields.get('name')).trim()
    const body = { name, permissions: [...permissions], ...(until !== undefined && { expiresAt: until }) }
    setCreated((await call('POST /auth/tokens', { body })).body)
    changed()
  }
  return (
    <FormDialog
      title={words.tokens.create}
      action={words.tokens.create}
      close={close}
      done={() => undefined}
      submit={submit}
      wide
    >
      <Field label={words.tokens.name} hint={words.tokens.nameHint}>
        <input name="name" required maxLength={64} autocomplete="off" />
      </Field>
      <UntilField label={words.tokens.duration} spans={tokenSpans} />
      <p class="quiet">{words.tokens.scopeLead}</p>
      <fieldset class="choices">
        <legend>{words.tokens.inGame}</legend>
        {gamePermissions.map((permission) => (
          <Choice key={permission} permission={permission} says={words.tokens.gamePermissions[permission]} />
        ))}
      </fieldset>
      {listThemes().map(({ name, permissions }) => (
        <fieldset key={name} class="choices">
          <legend>{words.tokens.inApi[name]}</legend>
          {permissions.map((permission) => (
            <Choice key={permission} permission={permission} says={describePermission(permission)} />
          ))}
        </fieldset>
      ))}
      <Field label={words.tokens.others} hint={words.tokens.othersHint}>
        <input name="others" maxLength={2000} autocomplete="off" spellcheck={false} />
      </Field>
    </FormDialog>
  )
}
