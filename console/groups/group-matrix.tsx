import { useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { words } from '../configs/words.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { decide, toggle, type Verdict } from './decide.ts'
import { knownPermissions } from './generated/permission-list.ts'
import type { Group } from './groups-document.ts'

type InForce = Answer<'GET /api/admin/groups'>['body']['groups'][number]

/** A group of the matrix. Built-in groups are not in the file, and new ones are not active yet. */
export type Column = {
  readonly name: string
  readonly written: Group | undefined
  readonly inForce: InForce | undefined
  readonly isDefault: boolean
  /** The number of accounts in the group; undefined until it is known. */
  readonly members: number | undefined
  readonly membersAreCut: boolean
}

type Props = {
  readonly columns: readonly Column[]
  /** Changed rules by group. */
  readonly changes: ReadonlyMap<string, readonly string[]>
  readonly change: ((name: string, permissions: readonly string[]) => void) | undefined
  readonly edit: ((group: Group) => void) | undefined
}

const icons: Readonly<Record<Verdict, IconName>> = { granted: 'check', inherited: 'check', denied: 'cross', none: 'dash' }

const areas = [...new Set(knownPermissions.map(({ area }) => area))]

const Head = ({ column, edit }: { readonly column: Column; readonly edit: Props['edit'] }) => {
  const { name, written, inForce, isDefault, members, membersAreCut } = column
  const inherits = (written ?? inForce)?.inherits ?? []
  return (
    <th scope="col">
      <span class="matrix-name">
        <bdi title={written?.description}>{name}</bdi>
        {written !== undefined && edit !== undefined && (
          <button type="button" class="link" aria-label={`${words.groups.edit} ${name}`} onClick={() => edit(written)}>
            {words.groups.edit}
          </button>
        )}
      </span>
      <small class="quiet">
        {members !== undefined && words.groups.members(members, membersAreCut)}
        {inherits.length > 0 && ` ${words.groups.inheritsFrom(words.listNames(inherits))}`}
      </small>
      {name === 'admin' && <span class="badge">{words.groups.builtIn}</span>}
      {isDefault && <span class="badge good">{words.groups.isDefault}</span>}
      {inForce === undefined && <span class="badge warn">{words.configs.effects.reload}</span>}
    </th>
  )
}

/** Permissions by area × groups. A click changes the rule of a group; the change is reviewed before it is saved. */
export const GroupMatrix = ({ columns, changes, change, edit }: Props) => {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const shown = knownPermissions.filter(({ name, opens }) => name.includes(wanted) || opens.toLowerCase().includes(wanted))
  const sides = columns.map((column) => {
    const { name, written, inForce } = column
    const own = changes.get(name) ?? written?.permissions ?? inForce?.permissions ?? []
    const inherited = (written ?? inForce)?.inherits.flatMap(
      (above) => changes.get(above) ?? columns.find((one) => one.name === above)?.inForce?.effective ?? [],
    )
    return { column, own, inherited: inherited ?? [] }
  })
  return (
    <>
      <search class="toolbar">
        <input
          type="search"
          aria-label={words.groups.find}
          placeholder={words.groups.find}
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <span class="matrix-key quiet">
          <Icon name="check" /> {words.groups.verdicts.granted}
          <span class="faint">
            <Icon name="check" />
          </span>{' '}
          {words.groups.verdicts.inherited} <Icon name="cross" /> {words.groups.verdicts.denied} <Icon name="dash" />{' '}
          {words.groups.verdicts.none} <Icon name="groups" /> {words.groups.privileged}
        </span>
      </search>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrolls by keyboard. */}
      <section class="matrix" aria-label={words.groups.matrix} tabIndex={0}>
        <table>
          <thead>
            <tr>
              <th scope="col">{words.groups.permission}</th>
              {columns.map((column) => (
                <Head key={column.name} column={column} edit={edit} />
              ))}
            </tr>
          </thead>
          {areas.map((area) => {
            const rows = shown.filter((one) => one.area === area)
            if (rows.length === 0) return null
            return (
              <tbody key={area}>
                <tr class="matrix-area">
                  <th scope="rowgroup" colSpan={columns.length + 1}>
                    {area}
                  </th>
                </tr>
                {rows.map(({ name: permission, opens, isPrivileged }) => (
                  <tr key={permission}>
                    <th scope="row">
                      <code>{permission}</code>{' '}
                      {isPrivileged && (
                        <span title={words.groups.privileged}>
                          <Icon name="groups" />
                          <span class="sr-only">{words.groups.privileged}</span>
                        </span>
                      )}
                      <small class="quiet">{opens}</small>
                    </th>
                    {sides.map(({ column: { name, written }, own, inherited }) => {
                      const verdict = decide(permission, own, inherited)
                      const face = (
                        <>
                          <Icon name={icons[verdict]} />
                          <span class="sr-only">{words.groups.verdicts[verdict]}</span>
                        </>
                      )
                      return (
                        <td key={name} class={`verdict-${verdict}`}>
                          {written === undefined || change === undefined ? (
                            face
                          ) : (
                            <button
                              type="button"
                              class="plain"
                              aria-label={words.groups.cell(permission, name, words.groups.verdicts[verdict])}
                              onClick={() => change(name, toggle(permission, own, inherited))}
                            >
                              {face}
                            </button>
                          )}
                        </td>
                      )
                    })}
                  </tr>
                ))}
              </tbody>
            )
          })}
        </table>
      </section>
    </>
  )
}
