type Place = { readonly row: number; readonly column: number }
type Keys = { readonly key: string; readonly ctrlKey: boolean; readonly altKey: boolean; readonly metaKey: boolean }

const pageRows = 10

const clamp = (value: number, count: number): number => Math.min(Math.max(value, 0), count - 1)

/** The place that a key leads to in a grid, by the ARIA grid pattern. Undefined for keys that do not move. */
export const moveInGrid = (
  { key, ctrlKey, altKey, metaKey }: Keys,
  { row, column }: Place,
  { rows, columns }: { readonly rows: number; readonly columns: number },
): Place | undefined => {
  if (altKey || metaKey || (ctrlKey && key !== 'Home' && key !== 'End')) return undefined
  const to = (nextRow: number, nextColumn: number): Place => ({
    row: clamp(nextRow, rows),
    column: clamp(nextColumn, columns),
  })
  switch (key) {
    case 'ArrowUp':
      return to(row - 1, column)
    case 'ArrowDown':
      return to(row + 1, column)
    case 'ArrowLeft':
      return to(row, column - 1)
    case 'ArrowRight':
      return to(row, column + 1)
    case 'PageUp':
      return to(row - pageRows, column)
    case 'PageDown':
      return to(row + pageRows, column)
    case 'Home':
      return to(ctrlKey ? 0 : row, 0)
    case 'End':
      return to(ctrlKey ? rows - 1 : row, columns - 1)
    default:
      return undefined
  }
}
