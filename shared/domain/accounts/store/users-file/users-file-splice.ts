import type { Account } from '../../account.ts'
import { type AccountIndex, changeAccountIndex } from '../account-index.ts'
import { createPages, type UsersPages } from './users-file-pages.ts'
import { parseSlice } from './users-file-slice.ts'
import { cutSlices, type UsersEntry } from './users-file-split.ts'

/** How a file differs from known parts: the number of equal parts at its start and at its end, and the bytes in between. */
export type UsersDifference = { readonly sameStart: number; readonly sameEnd: number; readonly bytes: Buffer }

/** How `found` differs from the joined `parts`; undefined if it does not. */
export const findDifference = (parts: readonly Buffer[], found: Buffer): UsersDifference | undefined => {
  let [sameStart, start] = [0, 0]
  for (const part of parts) {
    if (!found.subarray(start, start + part.length).equals(part)) break
    sameStart += 1
    start += part.length
  }
  if (sameStart === parts.length && start === found.length) return undefined
  let [sameEnd, end] = [0, found.length]
  for (const part of parts.slice(sameStart).reverse()) {
    if (end - part.length < start || !found.subarray(end - part.length, end).equals(part)) break
    sameEnd += 1
    end -= part.length
  }
  return { sameStart, sameEnd, bytes: found.subarray(start, end) }
}

/** A longer piece is read like a new file, in stretches that yield the thread. */
const pieceBytesMax = 256 * 1024

const decode = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The cutter accepts one before any comment, the YAML parser only at the start of a file. */
const byteOrderMark = '\uFEFF'

const hasOtherBreaks = (text: string, { eol, tail }: UsersPages): boolean =>
  eol === '\n' ? text.includes('\r') : !tail.endsWith('\r\n') || /\r(?!\n)/.test(text)

const accountsOf = (entries: readonly UsersEntry[]) => entries.map(({ account }) => account)

const areDistinct = (values: readonly (string | undefined)[]): boolean => {
  const there = values.filter((value) => value !== undefined)
  return new Set(there).size === there.length
}

/** `index` with `after` in place of `before`; undefined if two accounts would share a unique key. */
const changeIndex = (index: AccountIndex, before: readonly Account[], after: readonly Account[]): AccountIndex | undefined => {
  const old = new Map(before.map((account) => [account.email, account]))
  const isFree = (owner: Account | undefined): boolean => owner === undefined || old.get(owner.email) === owner
  for (const key of ['email', 'playerId', 'subject'] as const) if (!areDistinct(after.map((one) => one[key]))) return undefined
  const changes = new Map<string, Account | undefined>()
  const emails = new Set(after.map(({ email }) => email))
  for (const { email } of before) if (!emails.has(email)) changes.set(email, undefined)
  for (const account of after) {
    if (old.get(account.email) === account) continue
    const { email, playerId, subject } = account
    const owners = [index.byEmail.get(email), index.byPlayerId.get(playerId), subject && index.bySubject.get(subject)]
    if (!owners.every((owner) => isFree(owner || undefined))) return undefined
    changes.set(email, account)
  }
  return changes.size === 0 ? index : changeAccountIndex(index, changes)
}

const parseEntries = (slices: readonly Omit<UsersEntry, 'account'>[], old: readonly UsersEntry[], indent: number) => {
  const known = new Map(old.map(({ text, account }) => [text, account]))
  const entries: UsersEntry[] = []
  for (const slice of slices) {
    const account = known.get(slice.text) ?? parseSlice(slice.text, indent)
    if (!account) return undefined
    entries.push({ ...slice, account })
  }
  return entries
}

/** The changed text with one unchanged page on either side, whose accounts show where the change begins and ends. */
const openPiece = ({ pages, suffix }: UsersPages, { sameStart, sameEnd, bytes }: UsersDifference) => {
  const [changedFrom, changedTo] = [Math.min(pages.length, sameStart - 1), Math.min(pages.length, pages.length + 1 - sameEnd)]
  const [from, to] = [Math.max(0, changedFrom - 1), Math.min(pages.length, changedTo + 1)]
  const isAtEnd = to === pages.length
  const found = Buffer.concat([
    ...pages.slice(from, Math.max(from, changedFrom)).map((page) => page.bytes),
    Buffer.from(sameStart > pages.length + 1 ? suffix : ''),
    bytes,
    ...pages.slice(changedTo, to).map((page) => page.bytes),
    Buffer.from(isAtEnd && sameEnd > 0 ? suffix : ''),
  ])
  // Without its head a file is not a users file.
  const text = sameStart > 0 && found.length <= pieceBytesMax ? decode(found) : undefined
  return text === undefined ? undefined : { from, to, isAtEnd, text }
}

/**
 * The result of reading the whole file if the difference covers only a few pages. Cuts only those, and parses only accounts that are new
 * in them. Undefined for anything it does not fully understand, including faults.
 */
export const spliceUsersFile = (
  { index, layout }: { readonly index: AccountIndex; readonly layout: UsersPages },
  difference: UsersDifference,
) => {
  const { pages, indent, perPage } = layout
  const piece = openPiece(layout, difference)
  if (!piece?.text.endsWith('\n') || piece.text.includes(byteOrderMark) || hasOtherBreaks(piece.text, layout)) return undefined
  const { from, to, isAtEnd, text } = piece
  const cut = cutSlices(text, indent)
  // A deeper first dash is the depth of the whole file.
  if (!cut?.slices[0]?.text.startsWith(`${' '.repeat(indent)}-`)) return undefined
  // Comments at the end of the piece would belong to the next page.
  if (!isAtEnd && cut.suffix !== '') return undefined
  const old = pages.slice(from, to).flatMap(({ entries }) => entries)
  const entries = parseEntries(cut.slices, old, indent)
  const changed = entries && changeIndex(index, accountsOf(old), accountsOf(entries))
  if (!changed) return undefined
  const now = [...pages.slice(0, from), ...createPages(entries, perPage), ...pages.slice(to)]
  return { index: changed, layout: { ...layout, pages: now, suffix: isAtEnd ? cut.suffix : layout.suffix } }
}
