import type { Account } from '../../account.ts'
import { type AccountIndex, changeAccountIndex, createAccountIndex, isDistinctIndex } from '../account-index.ts'
import type { UsersDocumentReader } from './users-document-aside.ts'
import { parseUsersDocument } from './users-file-document.ts'
import { formatEntry } from './users-file-entry.ts'
import { type AccountChanges, rewriteUsersText } from './users-file-rewrite.ts'
import { editSlice, parseSlice } from './users-file-slice.ts'
import { spliceUsersFile } from './users-file-splice.ts'
import { joinUsersText, splitUsersText, type UsersEntries, type UsersEntry, type UsersLayout } from './users-file-split.ts'

/** The bytes of a file, which never change. What they grow to shares their memory, where nothing else has grown from them yet. */
type UsersBytes = {
  readonly view: Buffer
  /** With `text` behind them, for the price of `text`. */
  readonly append: (text: string) => UsersBytes
}

type Room = { readonly memory: Buffer; used: number }

const createView = (room: Room, length: number): UsersBytes => {
  const view = room.memory.subarray(0, length)
  return {
    view,
    append: (text) => {
      const grown = length + Buffer.byteLength(text)
      const isFree = room.used === length && grown <= room.memory.length
      const next = isFree ? room : { memory: Buffer.alloc(2 * grown), used: length }
      if (!isFree) view.copy(next.memory)
      next.memory.write(text, length)
      next.used = grown
      return createView(next, grown)
    },
  }
}

/** `bytes`, which nobody else writes to. */
export const createUsersBytes = (bytes: Buffer): UsersBytes => createView({ memory: bytes, used: bytes.length }, bytes.length)

/** A users file as read: its bytes, its accounts and, unless its style forbids, which piece of text is whose. */
export type UsersFile = {
  readonly bytes: UsersBytes
  /** Made of the bytes each time. */
  readonly text: string
  readonly index: AccountIndex
  readonly layout: UsersEntries | undefined
}

const createFile = (bytes: UsersBytes, index: AccountIndex, layout: UsersEntries | undefined): UsersFile => ({
  bytes,
  get text() {
    return bytes.view.toString('utf8')
  },
  index,
  layout,
})

type ReadOptions = {
  /** An earlier state of the same file: what did not change is not parsed again. */
  readonly previous?: UsersFile | undefined
  /** Called between accounts; may let others use the thread. */
  readonly pause?: () => Promise<void> | undefined
  /** Reads what is not cut into accounts; on this thread when absent. */
  readonly documents?: Pick<UsersDocumentReader, 'read'>
}

const readLayout = async (layout: UsersLayout, { previous, pause }: ReadOptions): Promise<UsersEntries | undefined> => {
  const { indent } = layout
  const known = new Map(previous?.layout?.slices.map(({ text, account }) => [text, account]))
  const slices: UsersEntry[] = []
  for (const slice of layout.slices) {
    const account = known.get(slice.text) ?? parseSlice(slice.text, indent)
    if (!account) return undefined
    slices.push({ ...slice, account })
    await pause?.()
  }
  return { ...layout, slices }
}

/** Reads the text of a users file; throws UsersFileFault when it is not YAML, breaks the schema or has an account twice. */
export const readUsersFile = async (text: string, options: ReadOptions = {}): Promise<UsersFile> => {
  const split = splitUsersText(text)
  const layout = split && (await readLayout(split, options))
  const accounts = layout?.slices.map(({ account }) => account) ?? []
  const index = layout && createAccountIndex(accounts)
  const bytes = createUsersBytes(Buffer.from(text, 'utf8'))
  if (layout && index && isDistinctIndex(index, accounts)) return createFile(bytes, index, layout)
  const { documents, pause } = options
  const whole = documents ? await documents.read(text, pause) : parseUsersDocument(text).accounts
  return createFile(bytes, createAccountIndex(whole), undefined)
}

/** `found`, which nobody else writes to, as `readUsersFile` reads them, where they differ from a known state in a few accounts only. */
export const rereadUsersFile = ({ bytes, index, layout }: UsersFile, found: Buffer): UsersFile | undefined => {
  const spliced = layout && spliceUsersFile({ bytes: bytes.view, index, layout }, found)
  return spliced && createFile(createUsersBytes(found), spliced.index, spliced.layout)
}

const editEntry = (entry: UsersEntry, to: Account, { indent, eol }: UsersEntries): UsersEntry => ({
  ...entry,
  account: to,
  text: editSlice(entry.text, { from: entry.account, to, indent, eol }),
})

const createEntry = (account: Account, { indent, eol }: UsersEntries): UsersEntry => ({
  lead: '',
  account,
  text: formatEntry(account, indent).replaceAll('\n', eol),
})

const editLayout = (layout: UsersEntries, index: AccountIndex, changes: AccountChanges): UsersEntries => {
  const slices: UsersEntry[] = []
  // Comments above an account that goes stay: they may be about more than it.
  let carried = ''
  for (const entry of layout.slices) {
    const { email } = entry.account
    const to = changes.has(email) ? changes.get(email) : entry.account
    if (!to) {
      carried += entry.lead
      continue
    }
    const kept = to === entry.account ? entry : editEntry(entry, to, layout)
    slices.push(carried === '' ? kept : { ...kept, lead: carried + kept.lead })
    carried = ''
  }
  for (const [email, account] of changes) {
    if (!account || index.byEmail.has(email)) continue
    slices.push(createEntry(account, layout))
  }
  return { ...layout, slices, suffix: carried + layout.suffix }
}

const lineBreak = 0x0a

const addText = (bytes: UsersBytes, text: string, suffix: string): UsersBytes => {
  if (suffix === '') return bytes.append(text)
  const before = bytes.view.subarray(0, bytes.view.length - Buffer.byteLength(suffix))
  return createUsersBytes(Buffer.concat([before, Buffer.from(text + suffix, 'utf8')]))
}

/** What `editLayout` and `joinUsersText` make of changes that only add accounts to others, without going through those. */
const addEntries = ({ bytes, index }: UsersFile, layout: UsersEntries, changes: AccountChanges): UsersFile | undefined => {
  if (layout.slices.length === 0 || bytes.view.at(-1) !== lineBreak) return undefined
  const added: UsersEntry[] = []
  for (const [email, account] of changes) {
    if (!account || index.byEmail.has(email)) return undefined
    added.push(createEntry(account, layout))
  }
  const grown = addText(bytes, added.map((entry) => entry.text).join(''), layout.suffix)
  return createFile(grown, changeAccountIndex(index, changes), { ...layout, slices: [...layout.slices, ...added] })
}

/** `file` with `changes` made: accounts by email as they shall be, `undefined` for one that goes. Only their own text is written again. */
export const editUsersFile = async (file: UsersFile, changes: AccountChanges, options: ReadOptions = {}): Promise<UsersFile> => {
  const added = file.layout && addEntries(file, file.layout, changes)
  if (added) return added
  const index = changeAccountIndex(file.index, changes)
  if (!file.layout) return readUsersFile(rewriteUsersText(file.text, changes, index.byEmail), options)
  const layout = editLayout(file.layout, file.index, changes)
  return createFile(createUsersBytes(Buffer.from(joinUsersText(layout), 'utf8')), index, layout)
}
