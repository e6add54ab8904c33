import { createPageText, readPageText } from './page-text.ts'

/** Pages that one directory tells of, a bit each. */
export const directoryPages = 32
/** A directory with more columns gets no more pages, so that it stays a small record. */
const directoryColumns = 16_384

/** What is known of a closed page without reading it. */
export type PageFacts = { readonly firstAt: number; readonly lastAt: number; readonly bytes: number }

/** Which closed pages, beginning with `firstPage`, have changes of which columns. */
export type PageDirectory = {
  readonly firstPage: number
  readonly pages: readonly PageFacts[]
  /** A bit a page, by chunkKey. */
  readonly columns: ReadonlyMap<number, number>
}

const digits = (page: number): string => page.toString(16).padStart(12, '0')

export const directoryPrefix = 'history/directory/'
/** The keys of records beside the columns of a world; they sort as numbers do. */
export const directoryKey = (firstPage: number): string => directoryPrefix + digits(firstPage)
export const pageKey = (page: number): string => `history/page/${digits(page)}`

export const isDirectoryFull = ({ pages, columns }: PageDirectory): boolean =>
  pages.length >= directoryPages || columns.size >= directoryColumns

/** The directory with one page more, which has changes of those columns. */
export const addPage = (directory: PageDirectory, facts: PageFacts, columns: Iterable<number>): PageDirectory => {
  const bits = new Map(directory.columns)
  const bit = 2 ** directory.pages.length
  for (const column of columns) bits.set(column, (bits.get(column) ?? 0) + bit)
  return { ...directory, pages: [...directory.pages, facts], columns: bits }
}

export const encodeDirectory = ({ firstPage, pages, columns }: PageDirectory): Uint8Array => {
  const text = createPageText()
  text.putNumber(1)
  text.putNumber(firstPage)
  text.putNumber(pages.length)
  for (const { firstAt, lastAt, bytes } of pages) for (const number of [firstAt, lastAt, bytes]) text.putNumber(number)
  let last = 0
  for (const [column, bits] of [...columns].sort(([one], [other]) => one - other)) {
    text.putNumber(column - last)
    text.putNumber(bits)
    last = column
  }
  return text.take()
}

/** What a directory says of some columns, without a map of all. */
export type DirectoryPart = Pick<PageDirectory, 'firstPage' | 'pages'> & {
  /** The pages with changes of a column that is wanted, a bit each. */
  readonly bits: number
}

/** Throws RangeError where it is damaged. */
export const scanDirectory = (bytes: Uint8Array, isWanted: (column: number) => boolean): DirectoryPart => {
  let bits = 0
  const directory = readEntries(bytes, (column, pages) => {
    if (isWanted(column)) bits |= pages
  })
  return { ...directory, bits }
}

/** Throws RangeError where it is damaged. */
export const readDirectory = (bytes: Uint8Array): PageDirectory => {
  const columns = new Map<number, number>()
  return { ...readEntries(bytes, (column, pages) => void columns.set(column, pages)), columns }
}

const readEntries = (
  bytes: Uint8Array,
  take: (column: number, pages: number) => void,
): Pick<PageDirectory, 'firstPage' | 'pages'> => {
  const text = readPageText(bytes)
  if (text.getNumber() !== 1) throw new RangeError('The directory is of no form that is known.')
  const firstPage = text.getNumber()
  const pages = Array.from({ length: text.getNumber() }, () => ({
    firstAt: text.getNumber(),
    lastAt: text.getNumber(),
    bytes: text.getNumber(),
  }))
  for (let column = 0; !text.isAtEnd(); ) {
    column += text.getNumber()
    take(column, text.getNumber())
  }
  return { firstPage, pages }
}
