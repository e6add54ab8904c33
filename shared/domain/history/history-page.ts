import { promisify } from 'node:util'
import { deflateRaw, inflateRawSync } from 'node:zlib'
import { type BlockChange, changeWays } from './block-change.ts'

/** A buffer of whole numbers and texts, one after another. It grows as needed. */
const createPageText = () => {
  let bytes = Buffer.alloc(4096)
  let length = 0

  const grow = (more: number): void => {
    const larger = Buffer.alloc(Math.max(bytes.length * 2, length + more))
    bytes.copy(larger, 0, 0, length)
    bytes = larger
  }

  /** Seven bits a byte, from 0 to 2^53. */
  const putNumber = (value: number): void => {
    if (length + 8 > bytes.length) grow(8)
    let rest = value
    // Most numbers are small. Shifts work on 32 bits only.
    for (; rest > 127; rest = rest < 2 ** 31 ? rest >> 7 : Math.floor(rest / 128)) {
      bytes[length] = (rest & 127) | 128
      length += 1
    }
    bytes[length] = rest
    length += 1
  }

  return {
    putNumber,
    /** Small numbers of either sign take one byte. */
    putSigned: (value: number): void => putNumber(value < 0 ? -2 * value - 1 : 2 * value),
    putText: (text: string): void => {
      const encoded = Buffer.from(text)
      putNumber(encoded.length)
      if (length + encoded.length > bytes.length) grow(encoded.length)
      encoded.copy(bytes, length)
      length += encoded.length
    },
    length: () => length,
    /** Cuts the text back to the length `before`. */
    cutTo: (before: number): void => {
      length = before
    },
    take: (): Buffer => Buffer.from(bytes.subarray(0, length)),
  }
}

/** Reads the values of a page text in the order in which they were put. Throws RangeError at the end. */
const readPageText = (bytes: Uint8Array) => {
  let at = 0
  const getNumber = (): number => {
    let value = 0
    for (let unit = 1; ; unit *= 128) {
      const byte = bytes[at]
      if (byte === undefined) throw new RangeError('The page ends in the middle of a number.')
      at += 1
      value += (byte & 127) * unit
      if (byte < 128) return value
    }
  }
  return {
    getNumber,
    getSigned: (): number => {
      const value = getNumber()
      return value % 2 === 0 ? value / 2 : -(value + 1) / 2
    },
    getText: (): string => {
      const length = getNumber()
      if (at + length > bytes.length) throw new RangeError('The page ends in the middle of a text.')
      at += length
      return Buffer.from(bytes.subarray(at - length, at)).toString()
    },
    isAtEnd: () => at >= bytes.length,
  }
}

const deflate = promisify(deflateRaw)

/** The first byte of a page. */
const forms = { open: 1, closed: 2 } as const
const undoesFlag = 8

/** The newest page of a history. Each change is stored as its difference to the previous one, and each text once. */
export type OpenPage = {
  add(change: Omit<BlockChange, 'at'>, at: number): void
  count(): number
  /** The time of its last change; 0 while it is empty. */
  lastAt(): number
  firstAt(): number
  /** Returns a function that removes everything added since this call. */
  mark(): () => void
  open(): Uint8Array
  closed(): Promise<Uint8Array>
}

export const createOpenPage = (): OpenPage => {
  const text = createPageText()
  text.putNumber(forms.open)
  const places = new Map<string, number>()
  const texts: string[] = []
  let last = { at: 0, x: 0, y: 0, z: 0 }
  let count = 0
  let firstAt = 0

  const putShared = (shared: string): void => {
    const index = places.get(shared)
    text.putNumber(index ?? texts.length)
    if (index !== undefined) return
    places.set(shared, texts.length)
    texts.push(shared)
    text.putText(shared)
  }

  return {
    add: ({ by, via, x, y, z, from, to, undoes, module = '' }, at) => {
      text.putSigned(at - last.at)
      putShared(by)
      text.putNumber(changeWays.indexOf(via) + (undoes === undefined ? 0 : undoesFlag))
      if (undoes !== undefined) putShared(undoes)
      if (via === 'module') putShared(module)
      text.putSigned(x - last.x)
      text.putSigned(y - last.y)
      text.putSigned(z - last.z)
      putShared(from)
      putShared(to)
      last = { at, x, y, z }
      if (count === 0) firstAt = at
      count += 1
    },
    count: () => count,
    lastAt: () => last.at,
    firstAt: () => firstAt,
    mark: () => {
      const before = { length: text.length(), texts: texts.length, last, count, firstAt }
      return () => {
        text.cutTo(before.length)
        for (const shared of texts.splice(before.texts)) places.delete(shared)
        ;({ last, count, firstAt } = before)
      }
    },
    open: text.take,
    closed: async () => Buffer.concat([Buffer.from([forms.closed]), await deflate(text.take().subarray(1))]),
  }
}

/** The changes of a page, oldest first. Throws RangeError if the page is damaged. */
export const readHistoryPage = (page: Uint8Array): readonly BlockChange[] => {
  const [form] = page
  if (form !== forms.open && form !== forms.closed) throw new RangeError('The page has an unknown format.')
  const text = readPageText(form === forms.open ? page.subarray(1) : inflateRawSync(page.subarray(1)))
  const texts: string[] = []
  const getShared = (): string => {
    const place = text.getNumber()
    if (place === texts.length) texts.push(text.getText())
    const shared = texts[place]
    if (shared === undefined) throw new RangeError('The page refers to a text that it does not contain.')
    return shared
  }
  const changes: BlockChange[] = []
  let last = { at: 0, x: 0, y: 0, z: 0 }
  while (!text.isAtEnd()) {
    const at = last.at + text.getSigned()
    const by = getShared()
    const flags = text.getNumber()
    const via = changeWays[flags % undoesFlag]
    if (via === undefined) throw new RangeError('The page has an unknown way of change.')
    const undoes = flags >= undoesFlag ? { undoes: getShared() } : {}
    const name = via === 'module' ? getShared() : ''
    const module = name === '' ? {} : { module: name }
    const [x, y, z] = [last.x + text.getSigned(), last.y + text.getSigned(), last.z + text.getSigned()]
    last = { at, x, y, z }
    changes.push({ at, by, via, x, y, z, from: getShared(), to: getShared(), ...undoes, ...module })
  }
  return changes
}

/** The number of pages in a directory, one bit each. */
const directoryPages = 32
/** A directory with more columns gets no more pages, so that it stays a small record. */
const directoryColumns = 16_384

/** Facts about a closed page, so that it need not be read. */
type PageFacts = { readonly firstAt: number; readonly lastAt: number; readonly bytes: number }

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
type DirectoryPart = Pick<PageDirectory, 'firstPage' | 'pages'> & {
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
