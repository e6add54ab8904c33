import type { Account } from '../../account.ts'
import { type AccountIndex, changeAccountIndex } from '../account-index.ts'
import type { UsersDifference } from './users-file-difference.ts'
import { createPages, type UsersPages } from './users-file-pages.ts'
import { parseSlice } from './users-file-slice.ts'
import { cutSlices, type UsersEntries, type UsersEntry } from './users-file-split.ts'

type Known = { readonly bytes: Buffer; readonly index: AccountIndex; readonly layout: UsersEntries }
type Spliced = Pick<Known, 'index' | 'layout'>
type KnownPages = { readonly index: AccountIndex; readonly layout: UsersPages }

const lineBreak = 0x0a
/** Bytes compared in one call: comparing memory is much faster than comparing numbers. */
const blockBytes = 64 * 1024
/** A longer piece is read like a new file, in stretches that yield the thread. */
const pieceBytesMax = 256 * 1024

const countSameStart = (one: Buffer, other: Buffer): number => {
  const most = Math.min(one.length, other.length)
  let same = 0
  while (same + blockBytes <= most && one.compare(other, same, same + blockBytes, same, same + blockBytes) === 0)
    same += blockBytes
  while (same < most && one[same] === other[same]) same += 1
  return same
}

/** At most `most`. */
const countSameEnd = (one: Buffer, other: Buffer, most: number): number => {
  const isSame = (from: number, to: number): boolean =>
    one.compare(other, other.length - to, other.length - from, one.length - to, one.length - from) === 0
  let same = 0
  while (same + blockBytes <= most && isSame(same, same + blockBytes)) same += blockBytes
  while (same < most && one[one.length - 1 - same] === other[other.length - 1 - same]) same += 1
  return same
}

type Piece = {
  /** The range of slices that it replaces, without `end`. The piece begins with the dash of `first`. */
  readonly first: number
  readonly end: number
  readonly text: string
}

const decode = (bytes: Buffer): string | undefined => {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** The change widened to whole slices: from a dash with an unchanged line to the next dash after the change. */
const findPiece = ({ bytes, layout: { slices, suffix } }: Known, found: Buffer): Piece | undefined => {
  const start = countSameStart(bytes, found)
  const sameEnd = countSameEnd(bytes, found, Math.min(bytes.length, found.length) - start)
  let [end, endOffset] = [slices.length, bytes.length]
  let offset = bytes.length - Buffer.byteLength(suffix)
  for (let at = slices.length - 1; at >= 0; at -= 1) {
    const { lead, text } = slices[at] ?? { lead: '', text: '' }
    offset -= Buffer.byteLength(text)
    const dashLine = Buffer.byteLength(text.slice(0, text.indexOf('\n') + 1))
    if (offset + dashLine <= start) {
      const piece = found.subarray(offset, endOffset + found.length - bytes.length)
      const decoded = piece.length <= pieceBytesMax ? decode(piece) : undefined
      return decoded === undefined ? undefined : { first: at, end, text: decoded }
    }
    // The line break before the dash must be unchanged too.
    if (offset > bytes.length - sameEnd) [end, endOffset] = [at, offset]
    if (lead !== '') offset -= Buffer.byteLength(lead)
  }
  return undefined
}

/** The cutter accepts one before any comment, the YAML parser only at the start of a file. */
const byteOrderMark = '\uFEFF'

const hasOtherBreaks = (text: string, { eol, tail }: UsersEntries): boolean =>
  eol === '\n' ? text.includes('\r') : !tail.endsWith('\r\n') || /\r(?!\n)/.test(text)

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

const spliceWindow = (known: Known, found: Buffer): Spliced | undefined => {
  const { bytes, layout, index } = known
  if (layout.slices.length === 0 || bytes.at(-1) !== lineBreak || found.at(-1) !== lineBreak) return undefined
  const piece = findPiece(known, found)
  if (!piece || piece.text.includes(byteOrderMark) || hasOtherBreaks(piece.text, layout)) return undefined
  const cut = cutSlices(piece.text, layout.indent)
  const old = layout.slices.slice(piece.first, piece.end)
  const entries = cut && parseEntries(cut.slices, old, layout.indent)
  const [first, ...rest] = entries ?? []
  // A comment above the dash would belong to the previous piece.
  if (!cut || !first || first.lead !== '') return undefined
  const changed = changeIndex(
    index,
    old.map(({ account }) => account),
    [first, ...rest].map(({ account }) => account),
  )
  if (!changed) return undefined
  const behind = layout.slices.slice(piece.end)
  const [next] = behind
  if (next) behind[0] = { ...next, lead: cut.suffix }
  const slices = layout.slices.slice(0, piece.first).concat({ ...first, lead: old[0]?.lead ?? '' }, rest, behind)
  return { index: changed, layout: { ...layout, slices, suffix: next ? layout.suffix : cut.suffix } }
}

/** Old text that is searched in one stretch. */
const windowBytesMax = 1024 * 1024

/** The change with one more page on either side, whose accounts show where it begins and ends. */
const openWindow = ({ layout }: KnownPages, { sameStart, sameEnd, bytes }: UsersDifference) => {
  const { pages } = layout
  const [changedFrom, changedTo] = [Math.min(pages.length, sameStart - 1), Math.min(pages.length, pages.length + 1 - sameEnd)]
  const [from, to] = [Math.max(0, changedFrom - 1), Math.min(pages.length, changedTo + 1)]
  const [before, after] = [pages.slice(from, Math.max(from, changedFrom)), pages.slice(changedTo, to)]
  const isAtEnd = to === pages.length
  const suffix = isAtEnd ? layout.suffix : ''
  const bytesOf = (of: readonly { readonly bytes: Buffer }[]) => of.map((page) => page.bytes)
  const suffixBytes = Buffer.from(suffix)
  const [old, now] = [
    [...bytesOf(pages.slice(from, to)), suffixBytes],
    [
      ...bytesOf(before),
      ...(sameStart > pages.length + 1 ? [suffixBytes] : []),
      bytes,
      ...bytesOf(after),
      ...(sameEnd > 0 ? [suffixBytes] : []),
    ],
  ]
  const isShort = old.reduce((sum, part) => sum + part.length, 0) <= windowBytesMax && bytes.length <= pieceBytesMax
  if (changedFrom < 0 || !isShort) return undefined
  const slices = pages.slice(from, to).flatMap(({ entries }) => entries)
  return { from, to, isAtEnd, bytes: Buffer.concat(old), found: Buffer.concat(now), slices, suffix }
}

/**
 * The result of reading the whole file if the difference covers only a few accounts. Cuts and parses only those. Undefined for anything it
 * does not fully understand, including faults.
 */
export const spliceUsersFile = (known: KnownPages, difference: UsersDifference): KnownPages | undefined => {
  const { index, layout } = known
  const { pages, perPage, ...around } = layout
  const window = openWindow(known, difference)
  if (!window) return undefined
  const { from, to, isAtEnd, bytes, found, slices, suffix } = window
  const spliced = spliceWindow({ bytes, index, layout: { ...around, slices, suffix } }, found)
  // Comments at the end of the window would belong to the next page.
  if (!spliced || (!isAtEnd && spliced.layout.suffix !== '')) return undefined
  const now = createPages(spliced.layout.slices, perPage)
  return {
    index: spliced.index,
    layout: {
      ...layout,
      pages: [...pages.slice(0, from), ...now, ...pages.slice(to)],
      suffix: isAtEnd ? spliced.layout.suffix : layout.suffix,
    },
  }
}
