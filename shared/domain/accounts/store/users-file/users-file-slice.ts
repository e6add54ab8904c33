import { isDeepStrictEqual } from 'node:util'
import { type Document, isMap, isSeq, visit } from 'yaml'
import { composeYaml } from '../../../../platform/yaml/yaml-documents.ts'
import { readYamlTokens } from '../../../../platform/yaml/yaml-tokens.ts'
import type { Account } from '../../account.ts'
import { formatEntry, parsePlainEntry, parseUserEntry } from './users-file-entry.ts'
import { type AccountChange, changeUserNode } from './users-file-rewrite.ts'

/** The document of one slice; undefined if it is not valid YAML by itself. */
const parseSliceDocument = (text: string): Document | undefined => {
  const read = readYamlTokens(text)
  if ('reason' in read) return undefined
  const [document, second] = composeYaml(read.tokens, text.length, {})
  return document.errors.length > 0 || second ? undefined : document
}

/** The account of one slice in any style; undefined if it is not an account or depends on other slices. */
export const parseSlice = (text: string, indent: number): Account | undefined => {
  const plain = parsePlainEntry(text, indent)
  const parsed = parseUserEntry(plain ?? parseStyledSlice(text))
  return parsed.ok ? parsed.value : undefined
}

const parseStyledSlice = (text: string): unknown => {
  try {
    const value: unknown = parseSliceDocument(text)?.toJS()
    return Array.isArray(value) && value.length === 1 ? value[0] : undefined
  } catch {
    // An alias of a node in another slice, or too many aliases.
    return undefined
  }
}

const reindent = (text: string, indent: number): string => text.replaceAll(/^(?=[^\n])/gm, ' '.repeat(indent))

/** All comments of the document, one per line. */
const listComments = (document: Document): string[] => {
  const comments: string[] = []
  const add = (comment: string | null | undefined): void => {
    if (comment) comments.push(...comment.split('\n').map((line) => `#${line}\n`))
  }
  add(document.commentBefore)
  visit(document, {
    Node: (_key, node) => {
      add(node.commentBefore)
      add(node.comment)
    },
  })
  add(document.comment)
  return comments
}

/** The account in the plain style with all comments below it. For values that the library does not write as it reads them. */
const replaceSlice = (text: string, indent: number, to: Account): string => {
  const document = parseSliceDocument(text)
  return formatEntry(to, indent) + reindent(document ? listComments(document).join('') : '', indent + 2)
}

const editStyledSlice = (text: string, indent: number, change: AccountChange): string | undefined => {
  const document = parseSliceDocument(text)
  const user = isSeq(document?.contents) ? document.contents.items[0] : undefined
  if (!document || !isMap(user)) return undefined
  changeUserNode(document, user, change)
  const blankLines = /(?:\n *)*$/.exec(text.replace(/\n$/, ''))?.[0] ?? ''
  try {
    return `${reindent(document.toString({ lineWidth: 0 }), indent).replace(/\n+$/, '')}${blankLines}\n`
  } catch {
    return undefined
  }
}

/** The slice with its account changed; keeps comments, order and quotes. `eol` is the line break of the file. */
export const editSlice = (
  text: string,
  { from, to, indent, eol }: AccountChange & { readonly indent: number; readonly eol: string },
): string => {
  const source = text.replaceAll('\r\n', '\n')
  if (source === formatEntry(from, indent)) return formatEntry(to, indent).replaceAll('\n', eol)
  const edited = editStyledSlice(source, indent, { from, to })
  const isRight = edited !== undefined && isDeepStrictEqual(parseSlice(edited, indent), to)
  return (isRight ? edited : replaceSlice(source, indent, to)).replaceAll('\n', eol)
}
