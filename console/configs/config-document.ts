import { type Document, isCollection, isMap, parseDocument, Scalar } from 'yaml'
import type { Path } from './schema.ts'

/** The values of a text; undefined if it is not valid YAML. */
export const readValues = (text: string): { readonly values: unknown } | undefined => {
  const document = parseDocument(text)
  if (document.errors.length > 0) return undefined
  try {
    return { values: document.toJS() }
  } catch {
    return undefined
  }
}

/** Everything above the path is a map or a list, so that something can be set there. */
const makeWay = (document: Document, path: Path): void => {
  for (let depth = 0; depth < path.length; depth += 1) {
    const above = path.slice(0, depth)
    const at = depth === 0 ? document.contents : document.getIn(above, true)
    if (isCollection(at)) continue
    const made = document.createNode(typeof path[depth] === 'number' ? [] : {})
    if (depth === 0) document.contents = made
    else document.setIn(above, made)
  }
}

const write = (document: Document, text: string): string =>
  document.toString({
    lineWidth: 0,
    indentSeq: !/^[\w"'-]+:[ \t]*\n- /m.test(text),
    flowCollectionPadding: !/[{[][^\s{}[\]]/.test(text),
  })

/** A document with only a comment keeps it as its head. */
const liftComment = (document: Document): void => {
  if (document.contents !== null && !(document.contents instanceof Scalar && document.contents.value === null)) return
  document.commentBefore = [document.commentBefore, document.contents?.commentBefore, document.comment]
    .filter((comment) => typeof comment === 'string' && comment !== '')
    .join('\n\n')
  document.comment = null
  document.contents = null
}

/** Returns the text with another value at the path, or without the key if the value is undefined. Keeps other comments. */
export const writeValue = (text: string, path: Path, value: unknown): string => {
  const document: Document = parseDocument(text)
  if (value === undefined) document.deleteIn(path)
  else {
    liftComment(document)
    makeWay(document, path)
    const current = document.getIn(path, true)
    const isSimple = typeof value !== 'object' || value === null
    // Changes only the value, so that the comment behind it stays.
    if (current instanceof Scalar && isSimple) {
      current.value = value
      delete current.source
    } else document.setIn(path, document.createNode(value))
  }
  if (isMap(document.contents) && document.contents.items.length === 0) document.contents.flow = true
  return write(document, text)
}
