import { useId, useState } from 'preact/hooks'
import { GatehouseError } from '../../sdk/auth.ts'
import { words } from '../configs/words.ts'
import { FormDialog } from '../parts/dialog.tsx'
import { Field } from '../parts/field.tsx'
import { Icon } from '../parts/icon.tsx'
import { knownPermissions } from '../state/generated/permission-list.ts'
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

/** A rule of the form. The id stays while the user types. */
type Rule = { readonly id: number; readonly isDenied: boolean; readonly permission: string }

const readRule = (rule: string, id: number): Rule => ({ id, isDenied: rule.startsWith('-'), permission: rule.replace(/^-/, '') })
/** A rule without a permission is left out. */
const writeRules = (rules: readonly Rule[]): readonly string[] =>
  rules
    .map(({ isDenied, permission }) => ({ isDenied, permission: permission.trim() }))
    .filter(({ permission }) => permission !== '')
    .map(({ isDenied, permission }) => `${isDenied ? '-' : ''}${permission}`)

/** The rules of a group, one in a line: granted or denied, and a permission, which is suggested and described. */
const RuleFields = ({
  rules,
  change,
}: {
  readonly rules: readonly Rule[]
  readonly change: (rules: readonly Rule[]) => void
}) => {
  const listId = useId()
  const [added, setAdded] = useState<number>()
  const put = (id: number, next: Partial<Rule>) => change(rules.map((rule) => (rule.id === id ? { ...rule, ...next } : rule)))
  const add = () => {
    const id = Math.max(-1, ...rules.map((rule) => rule.id)) + 1
    change([...rules, { id, isDenied: false, permission: '' }])
    setAdded(id)
  }
  return (
    <fieldset class="rule-fields">
      <legend>{words.groups.permissions}</legend>
      {rules.map(({ id, isDenied, permission }) => (
        <div key={id} class="rule-field">
          <select
            aria-label={words.groups.ruleKind}
            value={isDenied ? 'denied' : 'granted'}
            onChange={({ currentTarget }) => put(id, { isDenied: currentTarget.value === 'denied' })}
          >
            <option value="granted">{words.groups.grant}</option>
            <option value="denied">{words.groups.deny}</option>
          </select>
          <input
            ref={(input) => {
              if (added !== id || input === null) return
              input.focus()
              setAdded(undefined)
            }}
            aria-label={words.groups.permission}
            list={listId}
            maxLength={200}
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            value={permission}
            onInput={({ currentTarget }) => {
              const { value } = currentTarget
              put(id, value.startsWith('-') ? readRule(value, id) : { permission: value })
            }}
          />
          <button
            type="button"
            class="plain"
            aria-label={words.groups.removeRule(permission)}
            onClick={() => change(rules.filter((rule) => rule.id !== id))}
          >
            <Icon name="cross" />
          </button>
          <small class="quiet">{knownPermissions.find(({ name }) => name === permission)?.opens}</small>
        </div>
      ))}
      <button type="button" onClick={add}>
        {words.groups.addRule}
      </button>
      <p class="quiet">{words.groups.permissionsHint}</p>
      <datalist id={listId}>
        {knownPermissions.map(({ name, opens }) => (
          <option key={name} value={name}>
            {opens}
          </option>
        ))}
      </datalist>
    </fieldset>
  )
}

/** Edits a group. The user reviews the effects before saving. */
export const GroupDialog = ({ group, isNew, text, names, review, close, ...props }: Props) => {
  const [isRemoval, setRemoval] = useState(props.isRemoval)
  const [rules, setRules] = useState<readonly Rule[]>(() => group.permissions.map(readRule))
  const submit = async (fields: FormData): Promise<void> => {
    const name = String(fields.get('name') ?? group.name).trim()
    if (isNew && names.includes(name)) throw new GatehouseError('group-exists', words.groups.exists(name))
    const next: Group = {
      name,
      description: String(fields.get('description')).trim(),
      inherits: fields.getAll('inherits').map(String),
      permissions: writeRules(rules),
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
      <RuleFields rules={rules} change={setRules} />
      {!isNew && (
        <label class="check">
          <input type="checkbox" checked={isRemoval} onChange={() => setRemoval(!isRemoval)} /> {words.groups.remove}
        </label>
      )}
    </FormDialog>
  )
}
