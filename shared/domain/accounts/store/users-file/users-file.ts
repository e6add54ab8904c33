import { type AccountIndex, changeAccountIndex, createWarmAccountIndex } from '../account-index.ts'
import { createNames } from '../account-names.ts'
import type { UsersDocumentReader } from './users-document-reader.ts'
import { readUsersDocument } from './users-file-document.ts'
import { collectDoubts, describeDoubts, type UserKey, walkDoubts } from './users-file-doubts.ts'
import {
  editLayout,
  entriesPerPage,
  listEntries,
  pageEntries,
  partsOf,
  type UsersPage,
  type UsersPages,
} from './users-file-pages.ts'
import { type AccountChanges, rewriteUsersText } from './users-file-rewrite.ts'
import { parseSlice } from './users-file-slice.ts'
import { spliceUsersFile, type UsersDifference } from './users-file-splice.ts'
import { type Pause, splitUsersText, type UsersEntries, type UsersEntry, type UsersLayout } from './users-file-split.ts'

const countBreaks = (bytes: Buffer): number => {
  let count = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count += 1
  return count
}

/** The number of lines before `key` in the text of one account. 0 if no line begins with the key. */
const lineOfKey = (text: string, key: UserKey): number => {
  const at = text.search(new RegExp(`^ *(?:- +)?(?:${key}|"${key}"|'${key}') *:`, 'm'))
  return at === -1 ? 0 : text.slice(0, at).split('\n').length - 1
}

const breaksOf = new WeakMap<UsersPage, number>()
/** Cached: the states of a file share equal pages. */
const countPageBreaks = (page: UsersPage): number => {
  const known = breaksOf.get(page)
  if (known !== undefined) return known
  const count = countBreaks(page.bytes)
  breaksOf.set(page, count)
  return count
}

/** The text and first line of the account of each of `emails`. */
const findPlaces = async ({ head, tail, pages }: UsersPages, emails: ReadonlySet<string>, pause: Pause) => {
  const places = new Map<string, { readonly line: number; readonly text: string }>()
  let line = 1 + countBreaks(Buffer.from(head + tail))
  for (const page of pages) {
    if (places.size === emails.size) break
    let at = line
    if ([...emails].some((email) => page.emails.has(email)))
      for (const { lead, text, account } of page.entries) {
        at += countBreaks(Buffer.from(lead))
        if (emails.has(account.email)) places.set(account.email, { line: at, text })
        at += countBreaks(Buffer.from(text))
      }
    line += countPageBreaks(page)
    const paused = pause()
    if (paused) await paused
  }
  return places
}

/** The warnings about the accounts of a layout; `pause` is called between stretches. */
const findLayoutWarnings = async (index: AccountIndex, layout: UsersPages, pause: Pause): Promise<readonly string[]> => {
  const collected = collectDoubts()
  const names = index.made().names ?? createNames(index.byEmail.values())
  for (const doubt of walkDoubts(names, index.byEmail.has)) {
    collected.add(doubt)
    const paused = pause()
    if (paused) await paused
  }
  const doubts = collected.done()
  if (doubts.named.length === 0) return []
  const places = await findPlaces(layout, new Set(doubts.named.flatMap(({ emails }) => emails)), pause)
  return describeDoubts(doubts, (email, key) => {
    const place = places.get(email)
    return place === undefined ? 1 : place.line + lineOfKey(place.text, key)
  })
}

/** A users file as read: its bytes, its accounts and, unless its style prevents it, the text of each account. */
export type UsersFile = {
  /** Its bytes, which never change. States share the bytes of equal pages. */
  readonly parts: readonly Buffer[]
  /** Decoded on each access. */
  readonly text: string
  readonly index: AccountIndex
  readonly layout: UsersPages | undefined
  /** Accounts that do not work as written, each with its lines, in words that may be public. `pause` is called between stretches. */
  readonly findWarnings: (pause: Pause) => Promise<readonly string[]>
}

const createFile = (
  parts: readonly Buffer[],
  index: AccountIndex,
  layout: UsersPages | undefined,
  warnings: readonly string[] = [],
): UsersFile => ({
  parts,
  get text() {
    return Buffer.concat(parts).toString('utf8')
  },
  index,
  layout,
  findWarnings: async (pause) => (layout ? findLayoutWarnings(index, layout, pause) : warnings),
})

/** Keeps the original bytes if the layout would be written differently: without a final line break, or without accounts. */
const createCutFile = (bytes: Buffer, index: AccountIndex, layout: UsersPages): UsersFile => {
  const parts = partsOf(layout)
  const isSame = layout.pages.length > 0 && parts.reduce((sum, part) => sum + part.length, 0) === bytes.length
  return createFile(isSame ? parts : [bytes], index, layout)
}

type ReadOptions = {
  /** An earlier state of the same file; unchanged accounts are not parsed again. */
  readonly previous?: UsersFile | undefined
  readonly pause?: Pause
  /** Reads files that cannot be cut into accounts; default: on this thread. */
  readonly documents?: Pick<UsersDocumentReader, 'read'>
  /** Maximum number of accounts in a page. */
  readonly perPage?: number
}

const noPause: Pause = () => undefined

const readLayout = async (layout: UsersLayout, { previous, pause = noPause }: ReadOptions): Promise<UsersEntries | undefined> => {
  const { indent } = layout
  const before = previous?.layout ? listEntries(previous.layout) : []
  const known = new Map(before.map(({ text, account }) => [text, account]))
  const slices: UsersEntry[] = []
  for (const slice of layout.slices) {
    const account = known.get(slice.text) ?? parseSlice(slice.text, indent)
    if (!account) return undefined
    slices.push({ ...slice, account })
    const paused = pause()
    if (paused) await paused
  }
  return { ...layout, slices }
}

/** Reads the text of a users file. Throws UsersFileFault if it is not YAML, breaks the schema or has an account twice. */
export const readUsersFile = async (text: string, options: ReadOptions = {}): Promise<UsersFile> => {
  const { documents, pause = noPause, perPage = entriesPerPage } = options
  const split = await splitUsersText(text, pause)
  const layout = split && (await readLayout(split, options))
  const bytes = Buffer.from(text, 'utf8')
  const accounts = layout?.slices.map(({ account }) => account) ?? []
  const index = layout && (await createWarmAccountIndex(accounts, pause))
  if (index) return createCutFile(bytes, index, await pageEntries(layout, perPage, pause))
  const whole = documents ? await documents.read(text, pause) : readUsersDocument(text)
  const wholeIndex = await createWarmAccountIndex(whole.accounts, pause)
  if (!wholeIndex) throw new TypeError('the document reader let two accounts be one')
  return createFile([bytes], wholeIndex, undefined, whole.warnings)
}

/** `file` with an edit by another program, as `readUsersFile` would read it; undefined if the edit covers more than a few accounts. */
export const rereadUsersFile = ({ parts, index, layout }: UsersFile, difference: UsersDifference): UsersFile | undefined => {
  // Bytes that differ from the layout have no pages.
  const spliced = layout && parts.length === layout.pages.length + 2 && spliceUsersFile({ index, layout }, difference)
  return spliced ? createFile(partsOf(spliced.layout), spliced.index, spliced.layout) : undefined
}

/** `file` with `changes` applied: new accounts by previous email, `undefined` to remove one. Rewrites only the text of changed accounts. */
export const editUsersFile = async (file: UsersFile, changes: AccountChanges, options: ReadOptions = {}): Promise<UsersFile> => {
  const index = changeAccountIndex(file.index, changes)
  if (!file.layout) return readUsersFile(rewriteUsersText(file.text, changes, index.byEmail), options)
  const layout = editLayout(file.layout, file.index, changes)
  return createFile(partsOf(layout), index, layout)
}
