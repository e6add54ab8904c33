import type { Account } from '../../account.ts'
import type { AccountIndex } from '../account-index.ts'
import { formatEntry } from './users-file-entry.ts'
import type { AccountChanges } from './users-file-rewrite.ts'
import { editSlice } from './users-file-slice.ts'
import type { Pause, UsersEntries, UsersEntry } from './users-file-split.ts'

/** Consecutive accounts and their bytes. */
export type UsersPage = {
  readonly entries: readonly UsersEntry[]
  /** Tells with one lookup whether a change affects the page. */
  readonly emails: ReadonlySet<string>
  readonly bytes: Buffer
}

/** A layout in pages, so that a change rebuilds the text of only a few accounts. A page is never empty. */
export type UsersPages = Omit<UsersEntries, 'slices'> & {
  readonly pages: readonly UsersPage[]
  /** Maximum number of accounts in a page. */
  readonly perPage: number
}

/** About 32 KiB. */
export const entriesPerPage = 128

const joinEntries = (entries: readonly UsersEntry[]): string => {
  let text = ''
  for (const { lead, text: own } of entries) text += lead === '' ? own : lead + own
  return text
}

/** `entries` in the smallest number of pages, evenly filled. */
export const createPages = (entries: readonly UsersEntry[], perPage: number): UsersPage[] => {
  const pages: UsersPage[] = []
  const length = Math.ceil(entries.length / Math.ceil(entries.length / perPage))
  for (let at = 0; at < entries.length; at += length) {
    const own = entries.slice(at, at + length)
    const emails = new Set(own.map(({ account }) => account.email))
    pages.push({ entries: own, emails, bytes: Buffer.from(joinEntries(own), 'utf8') })
  }
  return pages
}

/** `slices` as a layout in pages; `pause` is called between pages. */
export const pageEntries = async ({ slices, ...around }: UsersEntries, perPage: number, pause: Pause): Promise<UsersPages> => {
  const pages: UsersPage[] = []
  for (let at = 0; at < slices.length; at += perPage) {
    pages.push(...createPages(slices.slice(at, at + perPage), perPage))
    const paused = pause()
    if (paused) await paused
  }
  return { ...around, pages, perPage }
}

export const listEntries = ({ pages }: UsersPages): readonly UsersEntry[] => pages.flatMap(({ entries }) => entries)

/** The bytes of a layout: the text before its pages, each page, the text after them. */
export const partsOf = ({ head, tail, pages, suffix }: UsersPages): readonly Buffer[] => [
  Buffer.from(pages.length > 0 ? head + tail : `${head} []${tail}`, 'utf8'),
  ...pages.map(({ bytes }) => bytes),
  Buffer.from(suffix, 'utf8'),
]

const editEntry = (entry: UsersEntry, to: Account, { indent, eol }: UsersPages): UsersEntry => ({
  ...entry,
  account: to,
  text: editSlice(entry.text, { from: entry.account, to, indent, eol }),
})

const createEntry = (account: Account, { indent, eol }: UsersPages): UsersEntry => ({
  lead: '',
  account,
  text: formatEntry(account, indent).replaceAll('\n', eol),
})

/** The pages with `changes` applied, and the comments above accounts removed at the end. */
const editPages = (layout: UsersPages, changes: AccountChanges): { readonly pages: UsersPage[]; readonly carried: string } => {
  const pages: UsersPage[] = []
  // Comments above a removed account stay, because they may concern other accounts too.
  let carried = ''
  const changed = [...changes.keys()]
  for (const page of layout.pages) {
    if (carried === '' && !changed.some((email) => page.emails.has(email))) {
      pages.push(page)
      continue
    }
    const entries: UsersEntry[] = []
    for (const entry of page.entries) {
      const { email } = entry.account
      const to = changes.has(email) ? changes.get(email) : entry.account
      if (!to) {
        carried += entry.lead
        continue
      }
      const kept = to === entry.account ? entry : editEntry(entry, to, layout)
      entries.push(carried === '' ? kept : { ...kept, lead: carried + kept.lead })
      carried = ''
    }
    if (entries.length > 0) pages.push(...createPages(entries, layout.perPage))
  }
  return { pages, carried }
}

/** `layout` with `changes` applied. Accounts that are not in `index` are added at the end. */
export const editLayout = (layout: UsersPages, index: AccountIndex, changes: AccountChanges): UsersPages => {
  const added: UsersEntry[] = []
  let isOnlyAdding = true
  for (const [email, account] of changes) {
    if (index.byEmail.has(email)) isOnlyAdding = false
    else if (account) added.push(createEntry(account, layout))
  }
  const { pages, carried } = isOnlyAdding ? { pages: [...layout.pages], carried: '' } : editPages(layout, changes)
  if (added.length > 0) {
    const last = pages.at(-1)
    const isRoom = last !== undefined && last.entries.length + added.length <= layout.perPage
    if (isRoom) pages.pop()
    pages.push(...createPages(isRoom ? [...last.entries, ...added] : added, layout.perPage))
  }
  return { ...layout, pages, suffix: carried + layout.suffix }
}
