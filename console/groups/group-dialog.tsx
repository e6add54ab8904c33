import { useState } from 'preact/hooks'
import { GatehouseError } from '../../sdk/auth.ts'
import { words } from '../configs/words.ts'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { type Group, writeGroup } from './groups-document.ts'

type Props = {
  readonly group: Group
  readonly isNew: boolean
  readonly isRemoval: boolean
  /** The whole of `groups.yaml`. */
  readonly text: string
  readonly names: readonly string[]
  /** Called with the changed text. */
  readonly review: (group: Group, isRemoval: boolean, text: string) => void
  readonly close: () => void
}

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)

/** Edits a group. The user reviews the effects before saving. */
export const GroupDialog = ({ group, isNew, text, names, review, close, ...props }: Props) => {
  const [isRemoval, setRemoval] = useState(props.isRemoval)
  const submit = async (fields: FormData): Promise<void> => {
    const name = String(fields.get('name') ?? group.name).trim()
    if (isNew && names.includes(name)) throw new GatehouseError('group-exists', words.groups.exists(name))
    const next: Group = {
      name,
      description: String(fields.get('description')).trim(),
      inherits: fields.getAll('inherits').map(String),
      permissions: linesOf(String(fields.get('permissions'))),
    }
    review(next, isRemoval, writeGroup(text, name, isRemoval ? undefined : next))
  }
  return (
    <FormDialog
      title={isNew ? words.groups.add : `${words.groups.edit} ${group.name}`}
      action={words.groups.review}
      close={close}
      done={() => undefined}
      submit={submit}
    >
      {isNew && (
        <Field label={words.groups.name} hint={words.groups.nameHint}>
          <input name="name" required maxLength={64} autocomplete="off" defaultValue={group.name} />
        </Field>
      )}
      <Field label={words.groups.description}>
        <input name="description" maxLength={200} defaultValue={group.description} autocomplete="off" />
      </Field>
      <fieldset>
        <legend>{words.groups.inherits}</legend>
        {names
          .filter((name) => name !== group.name && name !== 'admin')
          .map((name) => (
            <label key={name} class="check">
              <input type="checkbox" name="inherits" value={name} defaultChecked={group.inherits.includes(name)} />
              {name}
            </label>
          ))}
      </fieldset>
      <Field label={words.groups.permissions} hint={words.groups.permissionsHint}>
        <textarea name="permissions" rows={10} spellcheck={false} defaultValue={group.permissions.join('\n')} />
      </Field>
      {!isNew && (
        <label class="check">
          <input type="checkbox" checked={isRemoval} onChange={() => setRemoval(!isRemoval)} /> {words.groups.remove}
        </label>
      )}
    </FormDialog>
  )
}
