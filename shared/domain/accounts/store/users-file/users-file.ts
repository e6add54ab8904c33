import { type AccountIndex, changeAccountIndex, createWarmAccountIndex } from '../account-index.ts'
import type { UsersDocumentReader } from './users-document-reader.ts'
import { readUsersDocument } from './users-file-document.ts'
import { editLayout, entriesPerPage, listEntries, pageEntries, partsOf, type UsersPages } from './users-file-pages.ts'
import { type AccountChanges, rewriteUsersText } from './users-file-rewrite.ts'
import { parseSlice } from './users-file-slice.ts'
import { spliceUsersFile, type UsersDifference } from './users-file-splice.ts'
import { type Pause, splitUsersText, type UsersEntries, type UsersEntry, type UsersLayout } from './users-file-split.ts'
import { findLayoutWarnings } from './users-file-warnings.ts'

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
