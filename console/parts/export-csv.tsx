import { useState } from 'preact/hooks'
import type { AskPage } from '../state/pager.ts'
import { readAll } from '../state/read-all.ts'
import { words } from '../words.ts'
import { type CsvColumn, downloadText, toCsv } from './csv.ts'
import { Icon } from './icon.tsx'
import { ProblemBox } from './problem-box.tsx'
import { tell } from './toasts.tsx'

const rowsMax = 10_000

/** A button that saves the first 10,000 rows of a list as CSV. It loads all pages. */
export const ExportCsv = <T,>({
  name,
  columns,
  ask,
}: {
  /** The name of the file, without an ending. */
  readonly name: string
  readonly columns: readonly CsvColumn<T>[]
  readonly ask: AskPage<T>
}) => {
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const save = async (): Promise<void> => {
    setBusy(true)
    setError(undefined)
    try {
      const rows = await readAll(ask, rowsMax)
      downloadText(`${name}.csv`, 'text/csv', `\ufeff${toCsv(columns, rows)}`)
      tell(words.exports.saved(rows.length, rows.length >= rowsMax))
    } catch (fault) {
      setError(fault)
    } finally {
      setBusy(false)
    }
  }
  return (
    <>
      <button type="button" class="quiet-button" disabled={isBusy} onClick={() => void save()}>
        <Icon name="download" />
        {words.table.csv}
      </button>
      <ProblemBox error={error} />
    </>
  )
}
