import { moveInGrid } from './move-in-grid.ts'

/** The button of each cell, or the cell. Rows without cells are areas. The first cell of a row is its heading. */
const listCells = (table: HTMLTableElement): HTMLElement[][] =>
  [...table.rows]
    .map((row) => [...row.cells].slice(1).map((cell) => cell.querySelector('button') ?? cell))
    .filter((cells) => cells.length > 0)

/**
 * Makes a table one tab stop: arrow keys move between its cells, whose elements have `tabIndex={-1}`. Works on the elements and not on
 * the state, because a move would otherwise render hundreds of cells. Returns a function to stop.
 */
export const listenForGridKeys = (table: HTMLTableElement): (() => void) => {
  let current: HTMLElement | undefined
  const enter = (element: HTMLElement | undefined): void => {
    if (current !== undefined) current.tabIndex = -1
    current = element
    if (current !== undefined) current.tabIndex = 0
  }
  const first = (): HTMLElement | undefined => listCells(table)[1]?.[0] ?? listCells(table)[0]?.[0]
  const onFocus = ({ target }: FocusEvent): void => {
    if (target instanceof HTMLElement && target !== current) enter(target)
  }
  const onKey = (event: KeyboardEvent): void => {
    const { target } = event
    if (!(target instanceof HTMLElement)) return
    const cells = listCells(table)
    const row = cells.findIndex((one) => one.includes(target))
    const column = cells[row]?.indexOf(target) ?? -1
    if (row === -1 || column === -1) return
    const next = moveInGrid(event, { row, column }, { rows: cells.length, columns: cells[row]?.length ?? 0 })
    if (next === undefined) return
    event.preventDefault()
    cells[next.row]?.[next.column]?.focus()
  }
  table.addEventListener('focusin', onFocus)
  table.addEventListener('keydown', onKey)
  // A search removes rows, and the tab stop with them.
  const observer = new MutationObserver(() => {
    if (current?.isConnected !== true) enter(first())
  })
  observer.observe(table, { childList: true, subtree: true })
  enter(first())
  return () => {
    observer.disconnect()
    table.removeEventListener('focusin', onFocus)
    table.removeEventListener('keydown', onKey)
  }
}
