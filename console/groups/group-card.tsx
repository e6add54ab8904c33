import type { Answer } from '../../sdk/admin.ts'
import { words } from '../words.ts'
import type { Group } from './groups-document.ts'

type InForce = Answer<'GET /api/admin/groups'>['body']['groups'][number]

type Props = {
  /** The group in the file. The built-in group is not in the file. */
  readonly written: Group | undefined
  /** Undefined for a saved group that is not active yet. */
  readonly inForce: InForce | undefined
  readonly isDefault: boolean
  readonly edit: ((group: Group) => void) | undefined
}

const Rules = ({ of, isMarked = false }: { readonly of: readonly string[]; readonly isMarked?: boolean }) => (
  <ul class="rules">
    {of.map((permission) => (
      <li key={permission} class={isMarked && permission.startsWith('-') ? 'bad-text' : ''}>
        <code>{permission}</code>
      </li>
    ))}
  </ul>
)

/** One group as it is now, or as it will be after a reload. */
export const GroupCard = ({ written, inForce, isDefault, edit }: Props) => {
  const shown = inForce ?? written
  if (shown === undefined) return null
  const { name, inherits, permissions } = shown
  return (
    <section class="card">
      <header class="card-head">
        <h2>
          <bdi>{name}</bdi>
        </h2>
        {written !== undefined && edit !== undefined && (
          <button type="button" onClick={() => edit(written)} aria-label={`${words.groups.edit} ${name}`}>
            {words.groups.edit}
          </button>
        )}
      </header>
      {name === 'admin' && <p class="badge">{words.groups.builtIn}</p>}
      {isDefault && <p class="badge good">{words.groups.isDefault}</p>}
      {inForce === undefined && <p class="badge warn">{words.configs.effects.reload}</p>}
      {written !== undefined && written.description !== '' && (
        <p>
          <bdi>{written.description}</bdi>
        </p>
      )}
      {inherits.length > 0 && (
        <p>
          {words.groups.inherits} {words.listNames(inherits)}
        </p>
      )}
      <Rules of={permissions} isMarked />
      {inForce !== undefined && inForce.effective.length > permissions.length && (
        <details>
          <summary>{words.groups.effective}</summary>
          <Rules of={inForce.effective} />
        </details>
      )}
    </section>
  )
}
