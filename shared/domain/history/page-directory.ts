import { createPageText, readPageText } from './page-text.ts'

/** The number of pages in a directory, one bit each. */
export const directoryPages = 32
/** A directory with more columns gets no more pages, so that it stays a small record. */
const directoryColumns = 16_384

/** Facts about a closed page, so that it need not be read. */
export type PageFacts = { readonly firstAt: number; readonly lastAt: number; readonly bytes: number }

/** The columns that closed pages have changes of; the first page is `firstPage`. */
export type PageDirectory = {
  readonly firstPage: number
  readonly pages: readonly PageFacts[]
  /** By chunkKey: one bit for each page. */
  readonly columns: ReadonlyMap<number, number>
}

const digits = (page: number): string => page.toString(16).padStart(12, '0')

export const directoryPrefix = 'history/directory/'
/** Keys of side records of a world. They sort as numbers do. */
export const directoryKey = (firstPage: number): string => directoryPrefix + digits(firstPage)
export const pageKey = (page: number): string => `history/page/${digits(page)}`

export const isDirectoryFull = ({ pages, columns }: PageDirectory): boolean =>
  pages.length >= directoryPages || columns.size >= directoryColumns

/** Adds a page with changes of these columns. */
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

/** What a directory says about the selected columns, without a map of all columns. */
export type DirectoryPart = Pick<PageDirectory, 'firstPage' | 'pages'> & {
  /** The pages with changes of a selected column, one bit each. */
  readonly bits: number
}

/** Throws RangeError if the directory is damaged. */
export const scanDirectory = (bytes: Uint8Array, isWanted: (column: number) => boolean): DirectoryPart => {
  let bits = 0
  const directory = readEntries(bytes, (column, pages) => {
    if (isWanted(column)) bits |= pages
  })
  return { ...directory, bits }
}

/** Throws RangeError if the directory is damaged. */
export const readDirectory = (bytes: Uint8Array): PageDirectory => {
  const columns = new Map<number, number>()
  return { ...readEntries(bytes, (column, pages) => void columns.set(column, pages)), columns }
}

const readEntries = (
  bytes: Uint8Array,
  take: (column: number, pages: number) => void,
): Pick<PageDirectory, 'firstPage' | 'pages'> => {
  const text = readPageText(bytes)
  if (text.getNumber() !== 1) throw new RangeError('The directory has an unknown format.')
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
