import { Component } from 'preact'
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { Answer } from '../../sdk/admin.ts'
import { words } from '../configs/words.ts'
import { Icon, type IconName } from '../parts/icon.tsx'
import { knownPermissions } from '../state/generated/permission-list.ts'
import { decide, toggle, type Verdict } from './decide.ts'
import { listenForGridKeys } from './grid-keys.ts'
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

const verdicts = ['granted', 'inherited', 'denied', 'none'] as const

const areas = [...new Set(knownPermissions.map(({ area }) => area))]

const Head = ({ column, edit }: { readonly column: Column; readonly edit: Props['edit'] }) => {
  const { name, written, inForce, isDefault, members, membersAreCut } = column
  const inherits = (written ?? inForce)?.inherits ?? []
  return (
    <th scope="col" tabIndex={-1}>
      <span class="matrix-name">
        <bdi title={written?.description}>{name}</bdi>
        {written !== undefined && edit !== undefined && (
          <button
            type="button"
            class="link"
            tabIndex={-1}
            aria-label={`${words.groups.edit} ${name}`}
            onClick={() => edit(written)}
          >
            {words.groups.edit}
          </button>
        )}
      </span>
      <small class="quiet">
        {members !== undefined && words.groups.members(members, membersAreCut)}
        {members !== undefined && inherits.length > 0 && ' · '}
        {inherits.length > 0 && words.groups.inheritsFrom(words.listNames(inherits))}
      </small>
      {name === 'admin' && <span class="badge">{words.groups.builtIn}</span>}
      {isDefault && <span class="badge good">{words.groups.isDefault}</span>}
      {inForce === undefined && <span class="badge warn">{words.configs.effects.reload}</span>}
    </th>
  )
}

type KnownPermission = (typeof knownPermissions)[number]
type Cell = { readonly group: string; readonly verdict: Verdict; readonly isEditable: boolean }
type RowProps = {
  readonly of: KnownPermission
  readonly cells: readonly Cell[]
  readonly press: (group: string, permission: string) => void
}

const isSameCell = (one: Cell, other: Cell | undefined): boolean =>
  one.group === other?.group && one.verdict === other.verdict && one.isEditable === other.isEditable

/** A permission and its verdict in each group. It renders again only if a verdict changed: a click renders one row of the matrix. */
class Row extends Component<RowProps> {
  override shouldComponentUpdate({ of, cells, press }: RowProps): boolean {
    const before = this.props
    const isSame = cells.length === before.cells.length && cells.every((cell, at) => isSameCell(cell, before.cells[at]))
    return !isSame || of !== before.of || press !== before.press
  }

  override render({ of: { name: permission, opens, isPrivileged }, cells, press }: RowProps) {
    return (
      <tr>
        <th scope="row">
          <code>{permission}</code>{' '}
          {isPrivileged && (
            <span title={words.groups.privileged}>
              <Icon name="groups" label={words.groups.privileged} />
            </span>
          )}
          <small class="quiet">{opens}</small>
        </th>
        {cells.map(({ group, verdict, isEditable }) => {
          const name = words.groups.verdicts[verdict]
          return (
            <td key={group} tabIndex={-1} class={`verdict-${verdict}`}>
              {isEditable ? (
                <button
                  type="button"
                  class="plain"
                  tabIndex={-1}
                  aria-label={words.groups.cell(permission, group, name)}
                  onClick={() => press(group, permission)}
                >
                  <Icon name={icons[verdict]} />
                </button>
              ) : (
                <Icon name={icons[verdict]} label={name} />
              )}
            </td>
          )
        })}
      </tr>
    )
  }
}

/** The marks of the cells, and what they say. */
const Legend = ({ isEditable }: { readonly isEditable: boolean }) => (
  <ul class="matrix-key" aria-label={words.groups.key.title}>
    {verdicts.map((verdict) => (
      <li key={verdict}>
        <span class={`mark verdict-${verdict}`}>
          <Icon name={icons[verdict]} />
        </span>
        <strong>{words.groups.verdicts[verdict]}</strong> <span class="quiet">{words.groups.key[verdict]}</span>
      </li>
    ))}
    <li>
      <span class="mark">
        <Icon name="groups" />
      </span>
      <span class="quiet">{words.groups.privileged}</span>
    </li>
    {isEditable && <li class="quiet">{words.groups.key.change}</li>}
  </ul>
)

/** Permissions by area × groups. A click changes the rule of a group; the change is reviewed before it is saved. */
export const GroupMatrix = ({ columns, changes, change, edit }: Props) => {
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const shown = knownPermissions.filter(({ name, opens }) => name.includes(wanted) || opens.toLowerCase().includes(wanted))
  const sides = columns.map(({ name, written, inForce }) => {
    const own = changes.get(name) ?? written?.permissions ?? inForce?.permissions ?? []
    const inherited = (written ?? inForce)?.inherits.flatMap(
      (above) => changes.get(above) ?? columns.find((one) => one.name === above)?.inForce?.effective ?? [],
    )
    return { name, isEditable: written !== undefined && change !== undefined, own, inherited: inherited ?? [] }
  })
  const table = useRef<HTMLTableElement>(null)
  useEffect(() => (table.current === null ? undefined : listenForGridKeys(table.current)), [])
  const pressed = useRef((_group: string, _permission: string): void => undefined)
  pressed.current = (group, permission) => {
    const side = sides.find(({ name }) => name === group)
    if (side !== undefined) change?.(group, toggle(permission, side.own, side.inherited))
  }
  // The same function in every render, so that rows can be compared.
  const press = useCallback((group: string, permission: string) => pressed.current(group, permission), [])
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
      </search>
      <Legend isEditable={change !== undefined} />
      <section class="matrix" aria-label={words.groups.matrix}>
        {/* biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the grid pattern is for tables. */}
        <table ref={table} role="grid" aria-label={words.groups.matrix}>
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
                {rows.map((permission) => (
                  <Row
                    key={permission.name}
                    of={permission}
                    cells={sides.map(({ name, isEditable, own, inherited }) => ({
                      group: name,
                      verdict: decide(permission.name, own, inherited),
                      isEditable,
                    }))}
                    press={press}
                  />
                ))}
              </tbody>
            )
          })}
        </table>
      </section>
    </>
  )
}
