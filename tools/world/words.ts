/** A number with separators: 12,345. */
export const countOf = (count: number): string => count.toLocaleString('en-US')

/** A count with its noun: 1 column, 2 columns. */
export const plural = (count: number, word: string): string => `${countOf(count)} ${word}${count === 1 ? '' : 's'}`

/** A size in bytes in a readable unit. */
export const sizeOf = (bytes: number): string => {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB']
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10))
  const amount = bytes / 1024 ** step
  return `${step === 0 ? amount : amount.toFixed(1)} ${units[step]}`
}

/** Rows as a table. Each column is as wide as its widest cell; numbers are aligned right. */
export const tableOf = (rows: readonly (readonly (string | number)[])[]): string => {
  const widths: number[] = []
  for (const row of rows) for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, shown(cell).length)
  const line = (row: readonly (string | number)[]) =>
    row
      .map((cell, at) => (typeof cell === 'number' ? shown(cell).padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
  return rows.map((row) => `${line(row).trimEnd()}\n`).join('')
}

const shown = (cell: string | number): string => (typeof cell === 'number' ? countOf(cell) : cell)
