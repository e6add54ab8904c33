import type { Account } from '../../account.ts'
import { type AccountChanges, type AccountIndex, createAccountIndex } from '../account-index.ts'
import type { UsersDocumentReader } from './users-document-reader.ts'
import { readUsersDocument } from './users-file-document.ts'
import { collectDoubts, describeDoubts, type UserKey, walkDoubts } from './users-file-doubts.ts'
import { editSlice, parseSlice, rewriteUsersText } from './users-file-edit.ts'
import { formatEntry } from './users-file-entry.ts'
import { type Pause, splitUsersText, type UsersLayout, type UsersSlice } from './users-file-split.ts'

/** An account with its place in the text. `size` counts the bytes of both parts. */
export type UsersEntry = UsersSlice & { readonly account: Account; readonly size: number }

/** A layout whose slices are accounts, each valid YAML by itself. `body` has the bytes of the slices. */
type UsersEntries = Omit<UsersLayout, 'slices'> & { readonly entries: readonly UsersEntry[]; readonly body: Buffer }

/** A users file as read: its bytes, its accounts and, unless its style prevents it, the text of each account. */
export type UsersFile = {
  /** They never change. */
  readonly bytes: Buffer
  readonly index: AccountIndex
  readonly layout: UsersEntries | undefined
  /** Warnings about accounts that do not work as written, with lines. The text may be public. `pause` is called between stretches. */
  readonly findWarnings: (pause: Pause) => Promise<readonly string[]>
}

const countBreaks = (text: string): number => text.split('\n').length - 1

/** The number of lines before `key` in the text of one account. 0 if no line begins with the key. */
const lineOfKey = (text: string, key: UserKey): number => {
  const at = text.search(new RegExp(`^ *(?:- +)?(?:${key}|"${key}"|'${key}') *:`, 'm'))
  return at === -1 ? 0 : countBreaks(text.slice(0, at))
}

/** The warnings about the accounts of a layout; `pause` is called between stretches. */
const findLayoutWarnings = async (
  index: AccountIndex,
  { head, tail, entries }: UsersEntries,
  pause: Pause,
): Promise<readonly string[]> => {
  const collected = collectDoubts()
  for (const doubt of walkDoubts(index)) {
    collected.add(doubt)
    const paused = pause()
    if (paused) await paused
  }
  const doubts = collected.done()
  if (doubts.named.length === 0) return []
  const emails = new Set(doubts.named.flatMap((doubt) => doubt.emails))
  const places = new Map<string, { readonly line: number; readonly text: string }>()
  let line = 1 + countBreaks(head + tail)
  for (const { lead, text, account } of entries) {
    line += countBreaks(lead)
    if (emails.has(account.email)) places.set(account.email, { line, text })
    line += countBreaks(text)
    const paused = pause()
    if (paused) await paused
  }
  return describeDoubts(doubts, (email, key) => {
    const place = places.get(email)
    return place === undefined ? 1 : place.line + lineOfKey(place.text, key)
  })
}

const createFile = (bytes: Buffer, index: AccountIndex, layout: UsersEntries): UsersFile => ({
  bytes,
  index,
  layout,
  findWarnings: (pause) => findLayoutWarnings(index, layout, pause),
})

type ReadOptions = {
  /** An earlier state of the same file; unchanged accounts are not parsed again. */
  readonly previous?: UsersFile | undefined
  readonly pause?: Pause
  /** Reads files that cannot be cut into accounts; default: on this thread. */
  readonly documents?: Pick<UsersDocumentReader, 'read'>
}

const createEntry = (lead: string, text: string, account: Account): UsersEntry => ({
  lead,
  text,
  account,
  size: Buffer.byteLength(lead) + Buffer.byteLength(text),
})

/** The file in slices; undefined if a slice is not an account by itself, or two accounts share a unique key. */
const readSlices = async (bytes: Buffer, layout: UsersLayout, { previous, pause = () => undefined }: ReadOptions) => {
  const { slices, ...around } = layout
  const known = new Map(previous?.layout?.entries.map(({ text, account }) => [text, account]))
  const index = createAccountIndex()
  const entries: UsersEntry[] = []
  for (const { lead, text } of slices) {
    const account = known.get(text) ?? parseSlice(text, layout.indent)
    if (!account || !index.isFree(account)) return undefined
    index.add(account)
    entries.push(createEntry(lead, text, account))
    const paused = pause()
    if (paused) await paused
  }
  const start = Buffer.byteLength(around.head + around.tail)
  const end = start + entries.reduce((sum, { size }) => sum + size, 0)
  // The text may lack its last line break.
  const isWhole = end + Buffer.byteLength(around.suffix) === bytes.length
  const body = isWhole ? bytes.subarray(start, end) : Buffer.from(entries.map(({ lead, text }) => lead + text).join(''))
  return createFile(bytes, index, { ...around, entries, body })
}

/** Reads the text of a users file. Throws UsersFileFault if it is not YAML, breaks the schema or has an account twice. */
export const readUsersFile = async (text: string, options: ReadOptions = {}): Promise<UsersFile> => {
  const { documents, pause = () => undefined } = options
  const bytes = Buffer.from(text, 'utf8')
  const split = await splitUsersText(text, pause)
  const sliced = split && (await readSlices(bytes, split, options))
  if (sliced) return sliced
  const { accounts, warnings } = documents ? await documents.read(text) : readUsersDocument(text)
  return { bytes, index: createAccountIndex(accounts), layout: undefined, findWarnings: async () => warnings }
}

/** The layout with `changes` applied. Accounts that it does not have are added at the end. */
const editLayout = (layout: UsersEntries, index: AccountIndex, changes: AccountChanges): UsersEntries => {
  const { indent, eol, body } = layout
  const entries: UsersEntry[] = []
  const parts: Buffer[] = []
  /** Comments above a removed account stay, because they may concern other accounts too. */
  let carried = ''
  /** The bytes up to `at` are visited, and those up to `copied` are in `parts`. */
  let [at, copied] = [0, 0]
  const put = (entry: UsersEntry): void => {
    entries.push(entry)
    parts.push(Buffer.from(entry.lead + entry.text))
  }
  for (const entry of layout.entries) {
    const { lead, text, account, size } = entry
    const isChanged = changes.has(account.email)
    if (isChanged || carried !== '') {
      parts.push(body.subarray(copied, at))
      copied = at + size
      const to = isChanged ? changes.get(account.email) : account
      if (to === undefined) carried += lead
      else {
        put(createEntry(carried + lead, isChanged ? editSlice(text, { from: account, to, indent, eol }) : text, to))
        carried = ''
      }
    } else entries.push(entry)
    at += size
  }
  parts.push(body.subarray(copied))
  for (const [email, to] of changes)
    if (to && !index.byEmail.has(email)) put(createEntry('', formatEntry(to, indent).replaceAll('\n', eol), to))
  return { ...layout, entries, body: Buffer.concat(parts), suffix: carried + layout.suffix }
}

/**
 * `file` with `changes` applied to its text; rewrites only the text of changed accounts. Both states share the index. Apply the changes to it
 * when the new state is stored.
 */
export const editUsersFile = async (file: UsersFile, changes: AccountChanges, options: ReadOptions = {}): Promise<UsersFile> => {
  const { index } = file
  if (!file.layout) {
    const rewritten = await readUsersFile(rewriteUsersText(file.bytes.toString(), changes), options)
    return { ...rewritten, index }
  }
  const layout = editLayout(file.layout, index, changes)
  const { head, tail, suffix, entries, body } = layout
  const bytes = Buffer.concat([Buffer.from(entries.length > 0 ? head + tail : `${head} []${tail}`), body, Buffer.from(suffix)])
  return createFile(bytes, index, layout)
}
