/**
 * Finds sentences that are hard to read, in comments, texts for people, test names and Markdown.
 *
 *     node tools/prose.mjs [options] [path ...]
 *
 *     --worst N            lists the N worst sentences (default 40)
 *     --kind KIND          only comment, text, test, doc or table (the cells of tables in Markdown)
 *     --changed BASE       only sentences with a line added since the commit BASE, committed or not
 *     --limit KIND.F=N,..  exits with 1 if a count is over its limit, such as comment.stacked=90
 *
 * Counts for each kind:
 * - long: sentences of more than 25 words
 * - stacked: sentences with two or more relative clauses
 * - dialect: sentences with a phrase that is correct, but not plain technical English
 * - named: test names of more than 90 characters
 *
 * The counts show where to look. Rewrite for a reader, not for the counter.
 * Only --changed needs git. Without git the program reads all files under the paths.
 */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const args = process.argv.slice(2)
const option = (name, fallback) => {
  const at = args.indexOf(`--${name}`)
  return at < 0 ? fallback : args.splice(at, 2)[1]
}
const worst = Number(option('worst', 40))
const onlyKind = option('kind')
const base = option('changed')
const limits = (option('limit') ?? '')
  .split(',')
  .filter(Boolean)
  .map((limit) => {
    const [, kind, figure, max] = /^(\w+)\.(\w+)=(\d+)$/.exec(limit) ?? []
    if (kind === undefined) throw new Error(`--limit takes KIND.FIGURE=N, not ${limit}`)
    return { kind, figure, max: Number(max) }
  })

// ------------------------------------------------------------------------------------------------ what is hard to read

const relative = /\b(?:of which|of whom|who|whom|whose|which|whoever|whomever|whatever|whichever|wherever|what|lest|that)\b/gi
/** Before these, or after those, "that" points at something: "after that", "if that fails", "that one", "undo that." */
const pointsBefore =
  /(?:^|[.,;:(–—]\s*|["'“]|\b(?:for|after|of|with|than|by|in|at|to|on|from|before|like|without|as|until|since|about|under|over|through|per|if|when|while|because|unless|where|whether|though|although|once|except|beside|besides|within|into|against|between|beyond|only|just|even|does|do|did|doing|why|how|then|still|also|so is)\s+)$/i
const pointsAfter =
  /^(?:\s*(?:$|[.,;:!?)\]"'”–—])|\s+(?:one|way|case|time|moment|point|much|many|long|far|kind|same|very|of|alone|too|itself|is,|and|or|but|instead|again|first|either)\b)/i
/** "Checks that the file exists" is plain English. */
const promises =
  /\b(?:check|ensure|verif|assert|guarantee|confirm|assum|prov|mean|not|requir|expect|demonstrat)(?:s|y|ies|ied|ed|e|es|ing|ning)?\s+$/i

const isRelative = (sentence, match) => {
  const before = sentence.slice(0, match.index)
  const after = sentence.slice(match.index + match[0].length)
  // "What to do", "the order in which".
  if (/^\s+to\s/i.test(after) || (/^which$/i.test(match[0]) && /\b(?:order|way|moment) in\s+$/i.test(before))) return false
  if (match[0].toLowerCase() !== 'that') return true
  if (/\bso\s+$/i.test(before)) return false
  return !pointsBefore.test(before) && !pointsAfter.test(after) && !promises.test(before)
}
const countClauses = (sentence, isQuestion) => {
  const clauses = [...sentence.matchAll(relative)].filter((match) => isRelative(sentence, match)).length
  // A question may begin with "which": "Which players may enter?"
  return isQuestion ? Math.max(0, clauses - 1) : clauses
}

/** People that "who" may follow: after "players", but not alone. */
const people =
  '(?:players?|users?|admins?|administrators?|moderators?|operators?|owners?|members?|builders?|people|person|persons|accounts?|callers?|developers?|engineers?|readers?|visitors?|attackers?|strangers?|newcomers?|friends?|anyone|everyone|someone|others|actors?|authors?|clients?|passengers?)'
const whoVerbs =
  '(?:is|are|was|were|has|have|had|may|can|comes?|plays?|asks?|reads?|holds?|wants?|forgot|types?|walks?|stands?|gets?|knows?)'
const oddPatterns = [
  {
    pattern:
      /\b(?:anew|whoever|whomever|whatsoever|lest|meanwhile|thereof|therein|wherein|by now|as yet|at hand|such a one|such ones|others than|of theirs|of its own accord|goes on from|at the most|at a time of|not any more|again and again|that which|of those that|come to an end|comes to an end|take into force|takes? into force)\b/gi,
  },
  // Not "is no longer", nor "there is no file".
  {
    pattern:
      /\b(?:is|are|was|were) no (?!longer|more|less|fewer|later|earlier|better|worse|different|need|doubt|op\b|one\b|greater|larger|smaller|match\b)/gi,
    unlessBefore: /\bthere\s+(?:\w+\s+)?$/i,
  },
  { pattern: /\b(?:mends?|mended|mending)\b/gi },
  { pattern: /\b(?:is|are|was|were|be|been|being|gets?) told\b(?! apart)/gi },
  {
    pattern: new RegExp(`\\bwho ${whoVerbs}\\b`, 'gi'),
    unlessBefore: new RegExp(`\\b${people}(?:\\s+\\([^)]*\\))?,?\\s+$`, 'i'),
    unlessQuestion: true,
  },
  { pattern: /\b(?:for|to|of|by|with|from|and|or) who\b/gi },
  // Not "says what is wrong".
  {
    pattern:
      /\bwhat (?:is|was|has|had|may|comes|lies|stands)\b(?! (?:wrong|missing|new|required|expected|supported|allowed|different)\b)/gi,
    unlessQuestion: true,
  },
  { pattern: /\bwhere (?:somebody|nobody|they say|that is)\b/gi },
  { pattern: /\b(?:somebody|nobody)\b/gi },
  { pattern: /\b(?:takes?|took|taken|taking|gives?|gave|given|giving) back\b/gi },
  {
    pattern: /\b(?:stands?|stood|standing) (?:in|where|beside)\b/gi,
    unlessBefore: new RegExp(`\\b(?:${people}|they|you|i|he|she|body|bodies|feet|figures?|bots?)\\s+(?:that\\s+|who\\s+)?$`, 'i'),
  },
  { pattern: /\ball the same\b/gi, unlessBefore: /\b(?:is|are|be|was|were|not)\s+$/i },
  { pattern: /\bsome \d/gi },
]
const oddPhrases = (sentence, isQuestion) => {
  const phrases = []
  const positions = new Set()
  for (const { pattern, unlessBefore, unlessQuestion } of oddPatterns) {
    if (unlessQuestion && isQuestion) continue
    for (const match of sentence.matchAll(pattern)) {
      if (positions.has(match.index) || unlessBefore?.test(sentence.slice(0, match.index))) continue
      positions.add(match.index)
      phrases.push(match[0].trim().toLowerCase())
    }
  }
  return phrases
}

// ------------------------------------------------------------------------------------------------ sentences

/** Replaces the end of a line within a text, so that the lines of a sentence can be counted. */
const eol = '\ue000'
const lineEnds = (text) => eol.repeat(text.split(eol).length - 1)
const asX = (match) => `X${lineEnds(match)}`
const stripCode = (text) =>
  text
    .replace(/`[^`]*`/g, asX)
    .replace(/\{@\w+ [^}]*\}/g, asX)
    .replace(/!\[[^\]]*\]\([^)]*\)/g, lineEnds)
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/<\/?[a-z][^<>]*>/gi, lineEnds)
    .replace(/https?:\S+/g, 'X')
    // Commands, paths and routes: /who, /api/admin/x, data/config.
    .replace(/(?<![\w.])\/[a-z][\w:/{}.-]*/gi, 'X')
    .replace(/\*\*|__|(?<!\w)[*_](?=\w)|(?<=\w)[*_](?!\w)/g, '')

/** Sentences of a text with the first and last line of each, counted from `line`. */
const sentencesOf = (text, line) => {
  const flat = stripCode(text.replaceAll('\n', eol)).replaceAll(eol, ` ${eol} `)
  const sentences = []
  let at = 0
  for (const part of flat.split(/(?<=[.!?;:])(?=[\s\ue000]+["'(“]?[A-Z"'(])/)) {
    // Ends of lines before the first word belong to the previous sentence.
    const lead = /^[\s\ue000]*/.exec(part)[0].split(eol).length - 1
    const all = part.split(eol).length - 1
    const tail = /[\s\ue000]*$/.exec(part)[0].split(eol).length - 1
    const clean = part.replaceAll(eol, ' ').replace(/\s+/g, ' ').trim()
    if (/[a-z]{2}/.test(clean))
      sentences.push({ text: clean, first: line + at + Math.min(lead, all), last: line + at + Math.max(lead, all - tail) })
    at += all
  }
  return sentences
}

// ------------------------------------------------------------------------------------------------ reading files

/** Comments and strings of a source file in TypeScript, JavaScript or protobuf: {comments, strings, masked}. */
function scan(source) {
  const comments = []
  const strings = []
  const masked = source.split('')
  const mask = (from, to) => {
    for (let at = from; at < to; at += 1) if (masked[at] !== '\n') masked[at] = ' '
  }
  const mayBeginRegExp = (at) => {
    const before = source.slice(Math.max(0, at - 60), at).trimEnd()
    if (before === '') return true
    return /[=(,:;!&|?{}[+\-*%~^<>]$/.test(before)
      ? !/(?:\+\+|--)$/.test(before)
      : /\b(?:return|typeof|case|in|of|do|else|void|delete|throw|new|await)$/.test(before)
  }
  /** Open template literals: the depth of braces at which each goes on. */
  const templates = []
  let depth = 0
  let at = 0
  const readTemplate = (from) => {
    let text = ''
    let end = from
    while (end < source.length) {
      const one = source[end]
      if (one === '\\') {
        text += source[end + 1] ?? ''
        end += 2
        continue
      }
      if (one === '`') return { text, end: end + 1, isOpen: false }
      if (one === '$' && source[end + 1] === '{') return { text, end: end + 2, isOpen: true }
      text += one
      end += 1
    }
    return { text, end, isOpen: false }
  }
  const takeTemplate = (from, begun) => {
    const { text, end, isOpen } = readTemplate(from)
    begun.text += text
    mask(from, isOpen ? end - 2 : end - 1)
    if (isOpen) {
      begun.text += 'X'
      templates.push({ ...begun, depth })
      depth += 1
    } else strings.push({ text: begun.text, at: begun.at, end, quote: '`' })
    return end
  }
  while (at < source.length) {
    const one = source[at]
    const two = source.slice(at, at + 2)
    if (two === '/*') {
      const close = source.indexOf('*/', at + 2)
      const end = close < 0 ? source.length : close + 2
      comments.push({ text: source.slice(at + 2, close < 0 ? end : close).replace(/^\*/, ''), at, isBlock: true })
      mask(at, end)
      at = end
    } else if (two === '//') {
      const close = source.indexOf('\n', at)
      const end = close < 0 ? source.length : close
      const begin = source.lastIndexOf('\n', at) + 1
      comments.push({ text: source.slice(at + 2, end), at, isBlock: false, isWhole: source.slice(begin, at).trim() === '' })
      mask(at, end)
      at = end
    } else if (one === "'" || one === '"') {
      let end = at + 1
      while (end < source.length && source[end] !== one && source[end] !== '\n') end += source[end] === '\\' ? 2 : 1
      if (source[end] !== one) {
        // An apostrophe in the text of JSX.
        at += 1
        continue
      }
      strings.push({ text: source.slice(at + 1, end).replace(/\\(.)/g, '$1'), at, end: end + 1, quote: one })
      mask(at + 1, end)
      at = end + 1
    } else if (one === '`') at = takeTemplate(at + 1, { text: '', at })
    else if (one === '{') {
      depth += 1
      at += 1
    } else if (one === '}') {
      depth -= 1
      at += 1
      const open = templates.at(-1)
      if (open !== undefined && open.depth === depth) {
        templates.pop()
        at = takeTemplate(at, open)
      }
    } else if (one === '/' && mayBeginRegExp(at)) {
      let end = at + 1
      let isInClass = false
      while (end < source.length && source[end] !== '\n' && (isInClass || source[end] !== '/')) {
        if (source[end] === '\\') end += 1
        else if (source[end] === '[') isInClass = true
        else if (source[end] === ']') isInClass = false
        end += 1
      }
      if (source[end] === '/') {
        mask(at + 1, end)
        at = end + 1
      } else at += 1
    } else at += 1
  }
  return { comments, strings, masked: masked.join('') }
}
const lineCounter = (source) => {
  const starts = [0]
  for (let at = source.indexOf('\n'); at >= 0; at = source.indexOf('\n', at + 1)) starts.push(at + 1)
  return (at) => {
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if (starts[middle] <= at) low = middle
      else high = middle - 1
    }
    return low + 1
  }
}

const isDirective = (text) =>
  /^\s*(?:biome-ignore|@ts-|eslint-|prettier-|c8 |v8 |istanbul |#!|@jest-environment|<reference|#(?:end)?region)/.test(text)
/** Lines of code in a comment: indented examples, commented-out code, rulers. */
const isCodeLine = (line) =>
  /^\s{3,}\S/.test(line) ||
  /^\s*(?:[-=─–—*]{4,}|(?:const|let|import|export|return|await|npm|node|curl|git) .*[;({='"/-])/.test(line) ||
  /[;{}]\s*$/.test(line)

/** "radius   how far around its target it works": a term and its meaning, in columns. */
const isTerm = /^\s*\S+(?: \S+){0,2} {2,}(?=\S)/

function* commentsOf({ comments }, lineOf) {
  let run
  for (const { text, at, isBlock, isWhole } of comments) {
    const line = lineOf(at)
    if (isBlock || !isWhole || (run && run.last !== line - 1)) {
      if (run) yield run
      run = undefined
    }
    if (isDirective(text)) continue
    if (isBlock) {
      const lines = text.split('\n').map((one) => one.replace(/^\s*\*(?: |$)?/, ''))
      // A blank line and a tag end a sentence that has no full stop; a line of a list begins one.
      const shown = lines.map((one, index) =>
        index > 0 && isCodeLine(one) && !/^\s*[-*•]\s/.test(one) && /^\s{3,}/.test(one) ? '' : one,
      )
      let begin = 0
      for (let index = 0; index <= shown.length; index += 1) {
        const one = shown[index]
        const ends = one === undefined || one.trim() === '' || /^\s*(?:@\w+|[-*•] )/.test(one)
        if (!ends) continue
        if (index > begin)
          yield {
            text: shown
              .slice(begin, index)
              .join('\n')
              .replace(/^\s*(?:@\w+(?: \{[^}]*\})?|[-*•])\s*/, ''),
            line: line + begin,
          }
        begin = one === undefined || one.trim() !== '' ? index : index + 1
      }
    } else if (!isWhole) yield { text, line }
    else if (isCodeLine(text.slice(1))) {
      if (run) yield run
      run = undefined
    } else if (run && !isTerm.test(text)) {
      run.text += `\n${text}`
      run.last = line
    } else {
      if (run) yield run
      run = { text: text.replace(isTerm, ''), line, last: line }
    }
  }
  if (run) yield run
}

/** Where the bracket that opens at `from` closes, in a source without strings. */
const closing = (masked, from) => {
  let depth = 0
  for (let at = from; at < masked.length; at += 1) {
    if ('([{'.includes(masked[at])) depth += 1
    else if (')]}'.includes(masked[at])) {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return masked.length
}
function* testNamesOf({ strings, masked }, lineOf) {
  const byStart = new Map(strings.map((one) => [one.at, one]))
  for (const match of masked.matchAll(/\b(?:it|test|describe\w*|it[A-Z]\w*)(?:\.\w+)*(?=[(`])/g)) {
    let at = match.index + match[0].length
    if (/\.each$|\.for$/.test(match[0])) {
      if (masked[at] === '`') at = masked.indexOf('`', at + 1) + 1
      else at = closing(masked, at) + 1
    }
    if (masked[at] !== '(') continue
    at += 1
    while (/\s/.test(masked[at] ?? '')) at += 1
    const name = byStart.get(at)
    if (name !== undefined) yield { text: name.text, line: lineOf(name.at) }
  }
}

const functionWord =
  /\b(?:the|an?|is|are|was|were|of|to|not|for|in|it|be|no|and|with|that|this|from|has|have|must|can|cannot|may|by|at|on|as|or|you|your)\b/gi
/** String literals that look like sentences or labels for people. */
function* textsOf({ strings, masked }, lineOf, file) {
  const isWords = /(?:^|\/)words(?:[-.]|\/)/.test(file)
  for (const { text, at } of strings) {
    const before = masked.slice(Math.max(0, at - 40), at)
    if (/\b(?:from|import|require\()\s*$/.test(before) || /\b(?:class|className|style|d|viewBox|transform)=$/.test(before))
      continue
    const words = text.trim().split(/\s+/)
    if (
      /\bSELECT |redis\.call|\blocal \w+ =/.test(text) ||
      /^[\w-]+: [\w-]+;?/.test(text) ||
      /[{}<>]|=>|::|\|\||&&/.test(text.replace(/<[a-z-]+>/gi, ''))
    )
      continue
    const isSentence = /^[A-Z][^/]* \S+ \S+/.test(text)
    const isLabel = isWords && words.length >= 2 && /^["'“(]?[A-Za-z]/.test(text)
    // Faults, refusals and log lines begin in lower case.
    const isMessage =
      words.length >= 4 &&
      /^[a-z]/.test(text) &&
      (text.match(functionWord) ?? []).length >= 2 &&
      words.filter((one) => /^[("'“]?[A-Za-zX][\w'’-]*[.,:;!?)"'”]?$/.test(one)).length >= words.length * 0.75
    if (!isSentence && !isLabel && !isMessage) continue
    if (text.includes('\n')) yield* linesOf(text, lineOf(at))
    else yield { text, line: lineOf(at) }
  }
}
/** Paragraphs, lines of usage and cells of tables in a text of several lines. */
function* linesOf(text, line) {
  let block
  for (const [index, one] of text.split('\n').entries()) {
    if (block && /^\s|^[-|#*]|^$/.test(one)) {
      yield block
      block = undefined
    }
    if (one.trim() === '' || /^\|[\s:|-]+$/.test(one)) continue
    if (one.startsWith('|')) for (const cell of one.split('|').slice(1)) yield { text: cell, line: line + index }
    // "  create   copies one moment": the words begin after the gap.
    else if (block) block.text += `\n${one}`
    else block = { text: one.replace(/^\s*\S.*?\s{2,}(?=\S)/, '').replace(/^\s*[-#*]+\s+/, ''), line: line + index }
  }
  if (block) yield block
}
function* jsxTextsOf(masked, lineOf) {
  for (const match of masked.matchAll(/>([^<>{}=;()]*[A-Za-z]{2}[^<>{}=;()]* [^<>{}=;()]*)<(?=[/a-z{])/g))
    if (/^\s*[A-Z]/.test(match[1])) yield { text: match[1], line: lineOf(match.index + 1) }
}

function* blocksOf(source) {
  const lines = source.split('\n')
  let fence
  let block
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index]
    const mark = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence !== undefined || mark !== undefined) {
      if (block) yield block
      block = undefined
      if (fence === undefined) fence = mark
      else if (mark !== undefined && mark[0] === fence[0] && mark.length >= fence.length && /^\s*[`~]+\s*$/.test(line))
        fence = undefined
      continue
    }
    const isBlank = line.trim() === ''
    const isTable = /^\s*\|/.test(line)
    const begins =
      isBlank || isTable || /^\s*(?:[-*+] |\d+[.)] |#{1,6} |>)/.test(line) || (/^(?: {4}|\t)/.test(line) && block === undefined)
    if (begins) {
      if (block) yield block
      block = undefined
    }
    if (isBlank || (/^(?: {4}|\t)/.test(line) && block === undefined && !/^\s*(?:[-*+]|\d+[.)]) /.test(line))) continue
    if (isTable) {
      if (!/^\s*\|[\s:|-]+$/.test(line))
        for (const cell of line.split(/(?<!\\)\|/).slice(1)) yield { kind: 'table', text: cell, line: index + 1 }
    } else if (block) block.text += `\n${line}`
    else block = { kind: 'doc', text: line.replace(/^\s*(?:[-*+]|\d+[.)]|#{1,6}|>)\s+/, ''), line: index + 1 }
  }
  if (block) yield block
}

// ------------------------------------------------------------------------------------------------ counting

const git = (...command) =>
  execFileSync('git', command, { encoding: 'utf8', maxBuffer: 1 << 28, stdio: ['ignore', 'pipe', 'pipe'] })
const isRead = (file) => /\.(ts|tsx|js|mjs|cjs|md|yaml|yml|proto)$/.test(file) && !/generated|package-lock|CHANGELOG/.test(file)

/** Files under a path without git: skips packages, output of builds, and whatever begins with a dot. */
const walk = (path) => {
  if (!statSync(path).isDirectory()) return [path]
  const names = readdirSync(path).filter((name) => !/^\.|^(?:node_modules|coverage)$/.test(name))
  return names.flatMap((name) => walk(join(path, name)))
}
const listFiles = () => {
  try {
    return git('ls-files', '-co', '--exclude-standard', ...args).split('\n')
  } catch {
    return (args.length > 0 ? args : ['.']).flatMap(walk)
  }
}
const files = [...new Set(listFiles())].filter(isRead)

/** The lines added since a commit, by file; undefined for a whole file. */
const readChanges = (commit) => {
  const changes = new Map()
  let file
  const paths = args.length > 0 ? args : ['.']
  for (const line of git(
    'diff',
    '--no-color',
    '--no-ext-diff',
    '--no-renames',
    '--relative',
    '-U0',
    commit,
    '--',
    ...paths,
  ).split('\n')) {
    const to = /^\+\+\+ (?:b\/(.*)|\/dev\/null)$/.exec(line)
    if (to) file = to[1]
    const hunk = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line)
    if (hunk === null || file === undefined) continue
    const lines = changes.get(file) ?? new Set()
    for (let one = Number(hunk[1]); one < Number(hunk[1]) + Number(hunk[2] ?? 1); one += 1) lines.add(one)
    changes.set(file, lines)
  }
  for (const one of git('ls-files', '-o', '--exclude-standard', ...args).split('\n')) changes.set(one, undefined)
  return changes
}
const changes = base === undefined ? undefined : readChanges(base)
const isChanged = (file, first, last) => {
  if (changes === undefined) return true
  if (!changes.has(file)) return false
  const lines = changes.get(file)
  if (lines === undefined) return true
  for (let line = first; line <= last; line += 1) if (lines.has(line)) return true
  return false
}

const kinds = ['comment', 'text', 'test', 'doc', 'table']
const totals = new Map(
  kinds
    .filter((kind) => onlyKind === undefined || kind === onlyKind)
    .map((kind) => [kind, { sentences: 0, long: 0, stacked: 0, dialect: 0, ...(kind === 'test' && { named: 0 }) }]),
)
const matches = []
const count = (kind, file, { text, line }) => {
  const total = totals.get(kind)
  if (total === undefined) return
  if (kind === 'test' && text.length > 90 && isChanged(file, line, line)) total.named += 1
  for (const { text: one, first, last } of sentencesOf(text, line)) {
    if (!isChanged(file, first, last)) continue
    const isQuestion = /\?["')”]*$/.test(one)
    const words = one.split(' ').filter((word) => /[A-Za-z0-9]/.test(word)).length
    const clauses = countClauses(one, isQuestion)
    const phrases = oddPhrases(one, isQuestion)
    total.sentences += 1
    if (words > 25) total.long += 1
    if (clauses >= 2) total.stacked += 1
    if (phrases.length > 0) total.dialect += 1
    const score = Math.max(0, words - 25) + 6 * Math.max(0, clauses - 1) + 4 * phrases.length
    if (words > 25 || clauses >= 2 || phrases.length > 0) matches.push({ score, kind, file, line: first, sentence: one })
  }
}
for (const file of files) {
  if (changes !== undefined && !changes.has(file)) continue
  let source
  try {
    source = readFileSync(file, 'utf8')
  } catch {
    continue
  }
  if (file.endsWith('.md')) {
    for (const block of blocksOf(source)) count(block.kind, file, block)
    continue
  }
  if (/\.ya?ml$/.test(file)) {
    let run
    source.split('\n').forEach((line, index) => {
      const match = /^\s*# ?(.*)$/.exec(line) ?? /\s# (.*)$/.exec(line)
      const isWhole = /^\s*#/.test(line)
      if (match === null || !isWhole || match[1].trim() === '' || isCodeLine(match[1])) {
        if (run) count('comment', file, run)
        run = match !== null && !isWhole ? void count('comment', file, { text: match[1], line: index + 1 }) : undefined
      } else if (run && !isTerm.test(match[1])) run.text += `\n${match[1]}`
      else {
        if (run) count('comment', file, run)
        run = { text: match[1].replace(isTerm, ''), line: index + 1 }
      }
    })
    if (run) count('comment', file, run)
    continue
  }
  const scanned = scan(source)
  const lineOf = lineCounter(source)
  for (const comment of commentsOf(scanned, lineOf)) count('comment', file, comment)
  const isTest = /\.test\.tsx?$/.test(file)
  if (isTest) for (const name of testNamesOf(scanned, lineOf)) count('test', file, name)
  else if (/\.tsx?$/.test(file) && !/^(?:test|bench)\//.test(file)) {
    for (const text of textsOf(scanned, lineOf, file)) count('text', file, text)
    if (file.endsWith('.tsx')) for (const text of jsxTextsOf(scanned.masked, lineOf)) count('text', file, text)
  }
}

const print = (line = '') => process.stdout.write(`${line}\n`)
matches.sort((a, b) => b.score - a.score)
for (const { score, kind, file, line, sentence } of matches.slice(0, worst)) {
  print(`${String(score).padStart(3)} ${kind.padEnd(7)} ${file}:${line}: ${sentence.slice(0, 240)}`)
}
print()
for (const [kind, { sentences, long, stacked, dialect, named }] of totals) {
  const names = named === undefined ? '' : `, ${named} names over 90 characters`
  print(
    `${kind.padEnd(8)} ${sentences} sentences, ${long} over 25 words, ${stacked} with two or more clauses, ${dialect} with odd phrases${names}`,
  )
}
const counts = limits.map((limit) => ({ ...limit, figureNow: totals.get(limit.kind)?.[limit.figure] ?? 0 }))
const over = counts.filter(({ figureNow, max }) => figureNow > max)
for (const { kind, figure, figureNow, max } of over) print(`${kind}.${figure} is ${figureNow}, its limit is ${max}.`)
if (over.length > 0) {
  print('Rewrite your sentences: npm run prose -- --changed main lists them.')
  process.exitCode = 1
}
const under = counts
  .filter(({ figureNow, max }) => figureNow < max)
  .map(({ kind, figure, figureNow }) => `${kind}.${figure}=${figureNow}`)
if (over.length === 0 && under.length > 0) print(`Lower these limits in package.json: ${under.join(',')}`)
