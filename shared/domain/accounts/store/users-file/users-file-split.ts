import type { Account } from '../../account.ts'

/** One account's place in the text. */
export type UsersSlice = {
  /** Comments above the account that are not indented like its keys. */
  readonly lead: string
  /** From its dash to its last line, including blank lines below. */
  readonly text: string
}

/** A users file as text, cut into parts that join to the same text. */
export type UsersLayout = {
  /** Everything up to and including `users:`. */
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
/** A layout whose slices are accounts, each valid YAML by itself. */
export type UsersEntries = Omit<UsersLayout, 'slices'> & { readonly slices: readonly UsersEntry[] }

/** Called between small pieces of work; may yield the thread. */
export type Pause = () => Promise<void> | undefined

const usersLine = /^((?:users|"users"|'users'):)( +\[ *\])?((?: +#.*)? *\r?\n)$/
const startLine = /^\uFEFF?---(?: +#.*)? *\r?\n$/
const blankLine = /^\uFEFF?[ ]*\r?\n$/
const commentLine = /^\uFEFF? *#/
const dashLine = /^( *)-(?: |\r?\n$)/

/** The text as lines with their breaks, without what follows the last break. */
function* cutLines(text: string): Generator<string> {
  let from = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
    yield text.slice(from, at + 1)
    from = at + 1
  }
}

type Cut = { readonly slices: UsersSlice[]; readonly suffix: string; readonly indent: number }

type Cutter = {
  /** False if the line cannot be cut. */
  add(line: string): boolean
  done(): Cut
}

/**
 * Cuts the text after `users:` at the dashes of its sequence. All lines of an item are indented deeper than its dash, including block and
 * quoted scalars, so a dash at that depth always begins an item. `knownIndent` is the depth for a piece that begins with a dash.
 */
const createCutter = (knownIndent?: number): Cutter => {
  const slices: UsersSlice[] = []
  let indent = knownIndent
  let [lead, text, pending] = ['', '', '']
  return {
    add: (line) => {
      const isComment = commentLine.test(line)
      const depth = line.search(/[^ ]/)
      if (isComment || blankLine.test(line)) {
        const belongs = text !== '' && pending === '' && (!isComment || depth > (indent ?? 0))
        if (belongs) text += line
        else pending += line
        return true
      }
      if (line[depth] === '\t') return false
      indent ??= dashLine.test(line) ? depth : undefined
      if (indent === undefined || depth < indent) return false
      if (depth > indent) {
        text += pending + line
        pending = ''
        return true
      }
      if (!dashLine.test(line)) return false
      if (text !== '') slices.push({ lead, text })
      ;[lead, text, pending] = [pending, line, '']
      return true
    },
    done: () => {
      if (text !== '') slices.push({ lead, text })
      return { slices, suffix: pending, indent: indent ?? 2 }
    },
  }
}

/** Cuts a piece that begins with a dash; undefined if it contains a line that cannot be cut. */
export const cutSlices = (piece: string, indent: number): Cut | undefined => {
  const cutter = createCutter(indent)
  for (const line of cutLines(piece)) if (!cutter.add(line)) return undefined
  return cutter.done()
}

const cutRest = async (lines: Iterator<string>, pause: Pause): Promise<Cut | undefined> => {
  const cutter = createCutter()
  for (let next = lines.next(); next.done !== true; next = lines.next()) {
    if (!cutter.add(next.value)) return undefined
    const paused = pause()
    if (paused) await paused
  }
  return cutter.done()
}

type UsersLine = { readonly before: string; readonly line: string }

/** The line of `users:` and the text above it, which may only be comments and one `---`. The line is empty if the text has no other lines. */
const findUsersLine = (lines: Iterator<string>): UsersLine | undefined => {
  const before: string[] = []
  let starts = 0
  for (let next = lines.next(); next.done !== true; next = lines.next()) {
    const line = next.value
    if (usersLine.test(line)) return { before: before.join(''), line }
    if (startLine.test(line)) starts += 1
    else if (!blankLine.test(line) && !commentLine.test(line)) return undefined
    if (starts > 1) return undefined
    before.push(line)
  }
  return { before: before.join(''), line: '' }
}

/**
 * Cuts the text of a users file whose accounts are a block sequence, or that has none yet. Undefined for every other style and for
 * ambiguous text. Reads lines, not YAML: the caller checks that each slice is an account.
 */
export const splitUsersText = async (source: string, pause: Pause): Promise<UsersLayout | undefined> => {
  const eol = source.includes('\r\n') ? '\r\n' : '\n'
  if (source.includes('\r') && /\r(?!\n)/.test(source)) return undefined
  // A line break at the end of a block scalar is part of its value.
  if (source !== '' && !source.endsWith('\n') && /[|>]/.test(source)) return undefined
  const text = source === '' || source.endsWith('\n') ? source : source + eol
  const lines = cutLines(text)
  const found = findUsersLine(lines)
  if (found === undefined) return undefined
  const { before, line } = found
  if (line === '') return { head: `${text}users:`, tail: eol, slices: [], suffix: '', indent: 2, eol }
  const [, key = '', isEmptyFlow, tail = ''] = usersLine.exec(line) ?? []
  const cut = await cutRest(lines, pause)
  if (!cut || (isEmptyFlow !== undefined && cut.slices.length > 0)) return undefined
  return { head: before + key, tail, eol, ...cut }
}
