import { type Document, isMap, parseDocument } from 'yaml'

/** One setting: its path in the file, and its value. */
export type ConfigSetting = { readonly path: readonly string[]; readonly value: string | number | boolean }

/** The document in the style of braces of the text that it was read from. */
const toText = (document: Document, text: string): string => {
  const flowCollectionPadding = !/[{[][^\s{}[\]]/.test(text)
  return document.toString({ lineWidth: 0, flowCollectionPadding })
}

/**
 * The text with new values at these paths, as valid YAML. Keeps comments and everything else; a text of comments only stays at the head of
 * the file.
 */
export const setConfigValues = (text: string, settings: readonly ConfigSetting[]): string => {
  const document = parseDocument(text)
  if (!isMap(document.contents)) {
    // The parser would attach a lone comment to the text after the first key.
    const head = text.trimEnd()
    const made = parseDocument('{}')
    if (isMap(made.contents)) made.contents.flow = false
    for (const { path, value } of settings) made.setIn(path, value)
    return `${head}${head === '' ? '' : '\n\n'}${made.toString({ lineWidth: 0 })}`
  }
  for (const { path, value } of settings) document.setIn(path, value)
  return toText(document, text)
}

/** The text without the value at this path, and without maps that are empty then. Keeps everything else. */
export const removeConfigValue = (text: string, path: readonly string[]): string => {
  const document = parseDocument(text)
  if (!document.hasIn(path)) return text
  document.deleteIn(path)
  for (let length = path.length - 1; length > 0; length -= 1) {
    const above = document.getIn(path.slice(0, length))
    if (!isMap(above) || above.items.length > 0) break
    document.deleteIn(path.slice(0, length))
  }
  return toText(document, text)
}
