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

type Cut = Pick<UsersLayout, 'slices' | 'suffix' | 'indent'>

/**
 * Cuts the lines after `users:` at the dashes of its sequence. All lines of an item are indented deeper than its dash, also those of
 * scalars. So a dash at that depth always begins an item. Undefined if a line cannot be cut.
 */
const cutSlices = async (lines: Iterator<string>, pause: Pause): Promise<Cut | undefined> => {
  const slices: UsersSlice[] = []
  let indent: number | undefined
  let [lead, text, pending] = ['', '', '']
  for (let next = lines.next(); next.done !== true; next = lines.next()) {
    const line = next.value
    const paused = pause()
    if (paused) await paused
    const isComment = commentLine.test(line)
    const depth = line.search(/[^ ]/)
    if (isComment || blankLine.test(line)) {
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
  const cut = await cutSlices(lines, pause)
  if (!cut || (isEmptyFlow !== undefined && cut.slices.length > 0)) return undefined
  return { head: before + key, tail, eol, ...cut }
}
