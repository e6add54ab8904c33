export type CsvColumn<T> = { readonly head: string; readonly text?: (row: T) => string }

/** A field of a CSV file (RFC 4180). Text that a spreadsheet would run as a formula begins with an apostrophe. */
const toField = (text: string): string => {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe
}

/** The rows as CSV, with the heads of the columns that have a text. */
export const toCsv = <T>(columns: readonly CsvColumn<T>[], rows: readonly T[]): string => {
  const shown = columns.flatMap(({ head, text }) => (text === undefined ? [] : [{ head, text }]))
  const lines = [shown.map(({ head }) => toField(head)), ...rows.map((row) => shown.map(({ text }) => toField(text(row))))]
  return `${lines.map((line) => line.join(',')).join('\r\n')}\r\n`
}

/** Saves a text as a file of the browser. */
export const downloadText = (name: string, type: string, text: string): void => {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
