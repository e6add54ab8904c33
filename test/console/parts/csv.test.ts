import { expect, it } from '@jest/globals'
import { toCsv } from '../../../console/parts/csv.ts'

type Row = { readonly name: string; readonly note: string }

it('quotes separators, quotes and line breaks, and leaves out columns without a text', () => {
  const columns = [
    { head: 'Name', text: ({ name }: Row) => name },
    { head: 'Menu' },
    { head: 'Note, if any', text: ({ note }: Row) => note },
  ]
  const rows = [
    { name: 'Ann', note: 'says "hi"' },
    { name: 'Bo, the second', note: 'two\nlines' },
  ]
  expect(toCsv(columns, rows)).toBe('Name,"Note, if any"\r\nAnn,"says ""hi"""\r\n"Bo, the second","two\nlines"\r\n')
})

it('writes no formula that a spreadsheet would run', () => {
  const columns = [{ head: 'Name', text: (name: string) => name }]
  for (const name of ['=1+1', '+1', '-1', '@sum', '\tx']) expect(toCsv(columns, [name])).toBe(`Name\r\n'${name}\r\n`)
})
