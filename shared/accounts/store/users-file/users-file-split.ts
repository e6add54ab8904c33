import type { Account } from '../../account.ts'

/** One account's place in the text. */
export type UsersSlice = {
  /** Comments above the account that are not indented as its own. */
  readonly lead: string
  /** From its dash to its last line, blank lines below included. */
  readonly text: string
}

/** A users file as text, cut so that joining the parts gives the text again. */
export type UsersLayout = {
  /** All through `users:`. */
  readonly head: string
  /** The rest of that line. */
  readonly tail: string
  readonly slices: readonly UsersSlice[]
  readonly suffix: string
  /** Spaces before each dash. */
  readonly indent: number
  readonly eol: '\n' | '\r\n'
}

/** An account with its place in the text. */
export type UsersEntry = UsersSlice & { readonly account: Account }
/** A layout whose slices are accounts, each good YAML by itself. */
export type UsersEntries = Omit<UsersLayout, 'slices'> & { readonly slices: readonly UsersEntry[] }

const usersLine = /^((?:users|"users"|'users'):)( +\[ *\])?((?: +#.*)? *\r?\n)$/
const startLine = /^\uFEFF?---(?: +#.*)? *\r?\n$/
const blankLine = /^\uFEFF?[ ]*\r?\n$/
const commentLine = /^\uFEFF? *#/
const dashLine = /^( *)-(?: |\r?\n$)/

/** The text as lines, and where each begins. */
const cutLines = (text: string): string[] => text.match(/[^\n]*\n/g) ?? []

type Cut = { readonly slices: UsersSlice[]; readonly suffix: string; readonly indent: number }

/**
 * Cuts what follows `users:` at the dashes of its sequence. All lines of an item are indented deeper than its dash, those of block and
 * quoted scalars included. So a dash at that depth always begins an item; undefined where something else stands there. `knownIndent`
 * is that of a piece which begins with a dash.
 */
export const cutSlices = (lines: readonly string[], knownIndent?: number): Cut | undefined => {
  const slices: UsersSlice[] = []
  let indent = knownIndent
  let [lead, text, pending] = ['', '', '']
  for (const line of lines) {
    const isComment = commentLine.test(line)
    const depth = line.search(/[^ ]/)
    if (blankLine.test(line) || isComment) {
      const belongs = text !== '' && pending === '' && (!isComment || depth > (indent ?? 0))
      if (belongs) text += line
      else pending += line
      continue
    }
    if (line[depth] === '\t') return undefined
    indent ??= dashLine.test(line) ? depth : undefined
    if (indent === undefined || depth < indent) return undefined
    if (depth > indent) {
      text += pending + line
      pending = ''
      continue
    }
    if (!dashLine.test(line)) return undefined
    if (text !== '') slices.push({ lead, text })
    ;[lead, text, pending] = [pending, line, '']
  }
  if (text !== '') slices.push({ lead, text })
  return { slices, suffix: pending, indent: indent ?? 2 }
}

/** Where `users:` stands among the lines, after nothing but comments and one `---`; -1 when there are no other lines at all. */
const findUsersLine = (lines: readonly string[]): number | undefined => {
  let starts = 0
  for (const [at, line] of lines.entries()) {
    if (usersLine.test(line)) return at
    if (startLine.test(line)) starts += 1
    else if (!blankLine.test(line) && !commentLine.test(line)) return undefined
    if (starts > 1) return undefined
  }
  return -1
}

/**
 * Cuts the text of a users file whose accounts are a block sequence, or that has none yet. Undefined for every other style, and for whatever could be read in two ways. Reads lines, not YAML: that each slice is an account is for the caller to find out.
 */
export const splitUsersText = (source: string): UsersLayout | undefined => {
  const eol = source.includes('\r\n') ? '\r\n' : '\n'
  if (/\r(?!\n)/.test(source)) return undefined
  // A line break at the end of a block scalar is part of its value.
  if (source !== '' && !source.endsWith('\n') && /[|>]/.test(source)) return undefined
  const text = source === '' || source.endsWith('\n') ? source : source + eol
  const lines = cutLines(text)
  const at = findUsersLine(lines)
  if (at === undefined) return undefined
  if (at === -1) return { head: `${text}users:`, tail: eol, slices: [], suffix: '', indent: 2, eol }
  const [, key = '', isEmptyFlow, tail = ''] = usersLine.exec(lines[at] ?? '') ?? []
  const cut = cutSlices(lines.slice(at + 1))
  if (!cut || (isEmptyFlow !== undefined && cut.slices.length > 0)) return undefined
  return { head: lines.slice(0, at).join('') + key, tail, eol, ...cut }
}

/** The text that `layout` is cut from, or shall become. */
export const joinUsersText = ({ head, tail, slices, suffix }: UsersLayout): string => {
  const parts = [head, slices.length > 0 ? tail : ` []${tail}`]
  for (const { lead, text } of slices) parts.push(lead === '' ? text : lead + text)
  parts.push(suffix)
  return parts.join('')
}
