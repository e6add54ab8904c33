import type { AccountIndex } from '../account-index.ts'
import { createNames } from '../account-names.ts'
import { collectDoubts, describeDoubts, type UserKey, walkDoubts } from './users-file-doubts.ts'
import type { UsersPage, UsersPages } from './users-file-pages.ts'
import type { Pause } from './users-file-split.ts'

const countBreaks = (bytes: Buffer): number => {
  let count = 0
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) count += 1
  return count
}

/** Lines before `key` in the text of one account; 0, the line of its dash, if the key is not at the beginning of a line. */
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
export const findLayoutWarnings = async (index: AccountIndex, layout: UsersPages, pause: Pause): Promise<readonly string[]> => {
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
