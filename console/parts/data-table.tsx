import type { ComponentChild } from 'preact'

export type Column<T> = {
  readonly head: string
  readonly cell: (row: T) => ComponentChild
  readonly isNumber?: boolean
  /** For long words, such as emails: they break anywhere, and the column stays wide. */
  readonly isLong?: boolean
}

type Props<T> = {
  readonly columns: readonly Column<T>[]
  readonly rows: readonly T[]
  readonly keyOf: (row: T) => string
  /** The text for an empty table. */
  readonly empty: string
}

/** A table. If it is too narrow for its columns, each row becomes a block with the heads before its cells. */
export const DataTable = <T,>({ columns, rows, keyOf, empty }: Props<T>) => {
  if (rows.length === 0) return <p class="quiet">{empty}</p>
  return (
    <div class="table" style={{ '--columns': columns.length }}>
      <table class="data">
        <thead>
          <tr>
            {columns.map(({ head, isNumber }) => (
              <th key={head} scope="col" class={isNumber ? 'number' : undefined}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map(({ head, cell, isNumber, isLong }) => (
                <td key={head} data-head={head} class={isNumber ? 'number' : isLong ? 'long' : undefined}>
                  <div>{cell(row)}</div>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
