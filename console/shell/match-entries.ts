import type { IconName } from '../parts/icon.tsx'
import type { wordsOfPalette } from '../words/of-palette.ts'
import { readCommandText } from './read-command-text.ts'

export type Kind = keyof typeof wordsOfPalette.palette.kinds

/** Something to open. */
export type Entry = {
  readonly kind: Kind
  readonly icon: IconName
  readonly title: string
  /** What else the search matches, and shows beside the title. */
  readonly more: string
  readonly href: string
}

const shownMax = 40
const shownOfKind = 8

const noMatch = 4

/**
 * How well the entry matches: 0 for an exact name, email or command, then names that begin with the text, and others. Every word must be in
 * the title or the text beside it. The server matches accounts, so they have no `noMatch`.
 */
const rank = ({ kind, title, more }: Entry, wanted: readonly string[]): number => {
  const [name, text] = [title.toLowerCase(), more.toLowerCase()]
  const whole = wanted.join(' ')
  if (whole !== '' && (name === whole || name === `/${whole}` || (kind === 'account' && text === whole))) return 0
  const [first = ''] = wanted
  const isMatch = wanted.every((word) => name.includes(word) || text.includes(word))
  if (!isMatch && kind !== 'account') return noMatch
  if (name.startsWith(first) || name.startsWith(`/${first}`)) return 1
  return name.includes(first) || (kind === 'account' && text.startsWith(first)) ? 2 : 3
}

const kindsInOrder: readonly Kind[] = ['page', 'account', 'zone', 'command', 'setting']

/** The best matches of each kind. Kinds are in a fixed order, but those with an exact match come first. */
export const matchEntries = (
  entries: readonly Entry[],
  text: string,
): { readonly shown: readonly Entry[]; readonly kinds: readonly Kind[] } => {
  // The words after a command are its argument.
  const command = readCommandText(text)
  const wanted = command === undefined ? text.toLowerCase().split(/\s+/).filter(Boolean) : [`/${command.name}`]
  const groups = kindsInOrder.map((kind) => {
    const max = kind === 'page' ? shownMax : wanted.length === 0 ? 0 : shownOfKind
    const matches = entries
      .filter((entry) => entry.kind === kind)
      .map((entry) => ({ entry, at: rank(entry, wanted) }))
      .filter(({ at }) => at < noMatch)
      .sort((one, other) => one.at - other.at)
      .slice(0, max)
    return { kind, matches }
  })
  const isExact = ({ matches }: (typeof groups)[number]): boolean => matches[0]?.at === 0
  const sorted = groups.toSorted((one, other) => Number(isExact(other)) - Number(isExact(one)))
  return {
    shown: sorted.flatMap(({ matches }) => matches.map(({ entry }) => entry)).slice(0, shownMax),
    kinds: sorted.map(({ kind }) => kind),
  }
}
