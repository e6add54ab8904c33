import {
  Composer,
  type CST,
  type Document,
  type DocumentOptions,
  type ParsedNode,
  type ParseOptions,
  type SchemaOptions,
} from 'yaml'

/** The first document of some tokens, and the second one if there is one. There may be more. Each may have errors. */
export const composeYaml = (
  tokens: readonly CST.Token[],
  textLength: number,
  options: ParseOptions & DocumentOptions & SchemaOptions,
): readonly [Document.Parsed<ParsedNode>, Document.Parsed<ParsedNode>?] => {
  const documents: Document.Parsed<ParsedNode>[] = []
  const { stackTraceLimit } = Error
  // Each fault is an Error whose stack is not used. With stacks, 100,000 of them take four seconds.
  Error.stackTraceLimit = 0
  try {
    for (const document of new Composer({ ...options, prettyErrors: false }).compose(tokens, true, textLength)) {
      documents.push(document)
      if (documents.length > 1) break
    }
  } finally {
    Error.stackTraceLimit = stackTraceLimit
  }
  const [document, second] = documents
  if (document === undefined) throw new Error('the composer made no document')
  return second ? [document, second] : [document]
}
