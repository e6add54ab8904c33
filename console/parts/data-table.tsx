import { Component, type ComponentChild, type ComponentChildren } from 'preact'
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { useDeferred } from '../state/deferred.ts'
import { go } from '../state/route.ts'
import { words } from '../words/of-frame.ts'
import { downloadText, toCsv } from './csv.ts'
import { Icon } from './icon.tsx'
import { Menu } from './menu.tsx'

export type Column<T> = {
  readonly head: string
  readonly cell: (row: T) => ComponentChild
  readonly isNumber?: boolean
  /** For long words, such as emails: they break anywhere, and the column stays wide. */
  readonly isLong?: boolean
  /** The value by which the column sorts; empty values come last. Without it the column cannot be sorted. */
  readonly sort?: (row: T) => string | number
  /** The text of the cell in a CSV file. Without it the column is left out. */
  readonly text?: (row: T) => string
}

export type Sort = { readonly head: string; readonly isDown: boolean }

type Props<T> = {
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  /** For an empty table: a text, or a text with the one action. */
  readonly empty: ComponentChildren
  /** The address that a click on a row opens. A cell has it as a link too. */
  readonly hrefOf?: (row: T) => string
  /** The items of the menu at the end of a row. Null for a row without one. */
  readonly menu?: (row: T) => ComponentChildren
  /** The accessible name of that menu. */
  readonly menuLabel?: (row: T) => string
  /** Actions on selected rows. With it, rows have boxes. */
  readonly bulk?: (rows: readonly T[], clear: () => void) => ComponentChildren
  /** The name of a row for its box. */
  readonly nameOf?: (row: T) => string
  /** The count of rows as a text. With it, the table has a footer. */
  readonly counted?: (count: number) => string
  /** The name of the CSV file, without an ending. With it, the footer offers the file. */
  readonly csvName?: string
  /** At the end of the footer, in place of the CSV file of the rows. */
  readonly foot?: ComponentChildren
  /** Called when a sort begins, for lists that have to load all rows first. */
  readonly sorted?: () => void
}

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

const compare = (one: string | number, other: string | number): number => {
  if (typeof one === 'number' && typeof other === 'number') return one - other
  return collator.compare(String(one), String(other))
}

/** The rows in the order of the sort. Rows without a value come last in both directions. */
const sortRows = <T,>(rows: readonly T[], columns: readonly Column<T>[], sort: Sort | undefined): readonly T[] => {
  const by = columns.find(({ head }) => head === sort?.head)?.sort
  if (sort === undefined || by === undefined) return rows
  const keyed = rows.map((row) => ({ row, key: by(row) }))
  const isEmpty = (key: string | number): boolean => key === ''
  return keyed
    .sort((one, other) => {
      if (isEmpty(one.key) || isEmpty(other.key)) return Number(isEmpty(one.key)) - Number(isEmpty(other.key))
      return compare(one.key, other.key) * (sort.isDown ? -1 : 1)
    })
    .map(({ row }) => row)
}

/** Longer tables render only the rows in view. */
const tallMin = 40
const spareRows = 8

/** The rows in view of a long table, from its place on the screen and the average height of a row. The page scrolls, not the table. */
const useWindow = (count: number) => {
  const box = useRef<HTMLDivElement>(null)
  const heightPx = useRef(44)
  const [first, setFirst] = useState(0)
  const [room, setRoom] = useState(tallMin)
  const isTall = count >= tallMin
  useEffect(() => {
    const body = box.current?.querySelector('tbody') ?? null
    if (!isTall || body === null) return undefined
    const measure = () => {
      const rows = [...body.querySelectorAll<HTMLElement>('tr[data-row]')]
      const [top, bottom] = [rows.at(0)?.getBoundingClientRect().top, rows.at(-1)?.getBoundingClientRect().bottom]
      if (top !== undefined && bottom !== undefined && bottom > top) heightPx.current = (bottom - top) / rows.length
      const abovePx = -body.getBoundingClientRect().top
      setFirst(Math.max(0, Math.floor(abovePx / heightPx.current) - spareRows))
      setRoom(Math.ceil(innerHeight / heightPx.current) + 2 * spareRows)
    }
    measure()
    // The scroll of a dialog around the table counts too.
    const options = { passive: true, capture: true }
    addEventListener('scroll', measure, options)
    addEventListener('resize', measure)
    return () => {
      removeEventListener('scroll', measure, options)
      removeEventListener('resize', measure)
    }
  }, [isTall, count])
  if (!isTall) return { box, isTall, from: 0, to: count, beforePx: 0, afterPx: 0 }
  const from = Math.min(first, Math.max(0, count - room))
  const to = Math.min(count, from + room)
  return { box, isTall, from, to, beforePx: from * heightPx.current, afterPx: (count - to) * heightPx.current }
}

/** Keeps the height of rows that are not rendered. */
const Spacer = ({ px }: { readonly px: number }) =>
  px > 0 ? (
    <tr class="spacer">
      <td style={{ height: `${px}px` }} />
    </tr>
  ) : null

const sorts = { none: 'none', up: 'ascending', down: 'descending' } as const

const Head = <T,>({
  column,
  sort,
  choose,
}: {
  readonly column: Column<T>
  readonly sort: Sort | undefined
  readonly choose: () => void
}) => {
  const { head, isNumber, sort: by } = column
  const look = isNumber ? 'number' : undefined
  if (by === undefined)
    return (
      <th scope="col" class={look}>
        {head}
      </th>
    )
  const way = sort?.head === head ? (sort.isDown ? 'down' : 'up') : 'none'
  return (
    <th scope="col" class={look} aria-sort={sorts[way]}>
      <button type="button" class="sort" onClick={choose}>
        {head}
        {way !== 'none' && <Icon name={way} />}
      </button>
    </th>
  )
}

const interactive = 'a, button, input, select, label, summary, [role=menu]'

/** Whether the click is on the row itself: not on a control, and without selected text. */
const isRowClick = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest(interactive) === null && getSelection()?.isCollapsed !== false

type CellsProps<T> = {
  readonly columns: readonly Column<T>[]
  readonly menu: Props<T>['menu'] | undefined
  readonly menuLabel: Props<T>['menuLabel'] | undefined
  readonly row: T
  /** The name of the row for its box. Undefined without a box. */
  readonly name: string | undefined
  readonly id: string
  readonly isChosen: boolean
  readonly toggle: (id: string) => void
}

/** The cells of a row. They render again only after a change of one of the props, or of a signal that a cell reads. */
class Cells<T> extends Component<CellsProps<T>> {
  override shouldComponentUpdate(next: CellsProps<T>, state: unknown): boolean {
    const names = Object.keys(next) as (keyof CellsProps<T>)[]
    return state !== this.state || names.some((name) => next[name] !== this.props[name])
  }

  override render({ columns, row, name, id, isChosen, toggle, menu, menuLabel }: CellsProps<T>) {
    const items = menu?.(row)
    return (
      <>
        {name !== undefined && (
          <td class="box-cell">
            <input type="checkbox" aria-label={words.table.select(name)} checked={isChosen} onChange={() => toggle(id)} />
          </td>
        )}
        {columns.map(({ head, cell, isNumber, isLong }) => (
          <td key={head} data-head={head} class={isNumber ? 'number' : isLong ? 'long' : undefined}>
            <div>{cell(row)}</div>
          </td>
        ))}
        {menu !== undefined && (
          <td class="menu-cell">{items !== null && <Menu label={menuLabel?.(row) ?? words.table.actions}>{items}</Menu>}</td>
        )}
      </>
    )
  }
}

/**
 * A table: sorting, selection, a menu for each row, a count and a CSV file. Long tables render only the rows in view. If it is too
 * narrow for its columns, each row becomes a block with the heads before its cells. The cells of a row with the same
 * `columns` and `menu` as before do not render again.
 */
export const DataTable = <T,>(props: Props<T>) => {
  const { columns, rows, keyOf, empty, hrefOf, menu, menuLabel, bulk, nameOf = keyOf, counted, csvName, foot, sorted } = props
  const [sort, setSort] = useState<Sort>()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const { box, isTall, from, to, beforePx, afterPx } = useWindow(rows.length)
  // The head shows the new order one frame before the rows have it.
  const applied = useDeferred(sort)
  const inOrder = useMemo(() => sortRows(rows, columns, applied), [rows, columns, applied])
  const toggle = useCallback(
    (key: string) =>
      setChosen((last) => {
        const next = new Set(last)
        if (!next.delete(key)) next.add(key)
        return next
      }),
    [],
  )
  if (rows.length === 0) return typeof empty === 'string' ? <p class="quiet">{empty}</p> : <div>{empty}</div>
  const selected = chosen.size === 0 ? [] : rows.filter((row) => chosen.has(keyOf(row)))
  const choose = (head: string) => () => {
    setSort(sort?.head !== head ? { head, isDown: false } : sort.isDown ? undefined : { head, isDown: true })
    sorted?.()
  }
  const clear = () => setChosen(new Set())
  const isAll = selected.length === rows.length
  const width = columns.length + (bulk === undefined ? 0 : 0.5) + (menu === undefined ? 0 : 0.5)
  return (
    <div class="table-frame">
      {bulk !== undefined && selected.length > 0 && (
        // biome-ignore lint/a11y/useSemanticElements: the buttons are not a part of a form.
        <div class="bulk" role="group" aria-label={words.table.actions}>
          <span role="status">{words.table.selected(selected.length)}</span>
          {bulk(selected, clear)}
          <button type="button" onClick={clear}>
            {words.table.clear}
          </button>
        </div>
      )}
      <div ref={box} class={isTall ? 'table tall' : 'table'} style={{ '--columns': width }}>
        <table class="data" aria-rowcount={isTall ? rows.length + 1 : undefined}>
          <thead>
            <tr>
              {bulk !== undefined && (
                <th scope="col" class="box-cell">
                  <input
                    type="checkbox"
                    aria-label={words.table.all}
                    checked={isAll}
                    onChange={() => setChosen(isAll ? new Set() : new Set(rows.map(keyOf)))}
                  />
                </th>
              )}
              {columns.map((column) => (
                <Head key={column.head} column={column} sort={sort} choose={choose(column.head)} />
              ))}
              {menu !== undefined && (
                <th scope="col" class="menu-cell">
                  <span class="sr-only">{words.table.actions}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            <Spacer px={beforePx} />
            {inOrder.slice(from, to).map((row, index) => {
              const key = keyOf(row)
              const href = hrefOf?.(row)
              return (
                // The row has the address as a link too, for the keyboard.
                <tr
                  key={key}
                  data-row
                  aria-rowindex={isTall ? from + index + 2 : undefined}
                  class={href === undefined ? undefined : 'row-link'}
                  onClick={({ target }) => {
                    if (href !== undefined && isRowClick(target)) go(href)
                  }}
                >
                  <Cells
                    id={key}
                    row={row}
                    columns={columns}
                    name={bulk === undefined ? undefined : nameOf(row)}
                    isChosen={chosen.has(key)}
                    toggle={toggle}
                    menu={menu}
                    menuLabel={menuLabel}
                  />
                </tr>
              )
            })}
            <Spacer px={afterPx} />
          </tbody>
        </table>
      </div>
      {counted !== undefined && (
        <div class="table-foot">
          <span class="quiet">{counted(rows.length)}</span>
          {foot}
          {csvName !== undefined && (
            <button
              type="button"
              class="quiet-button"
              onClick={() => downloadText(`${csvName}.csv`, 'text/csv', `\ufeff${toCsv(columns, inOrder)}`)}
            >
              <Icon name="download" />
              {words.table.csv}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
