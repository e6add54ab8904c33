import { isMap, parseDocument } from 'yaml'

/** One setting: its path in the file, and its value. */
export type ConfigSetting = { readonly path: readonly string[]; readonly value: string | number | boolean }

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
  const flowCollectionPadding = !/[{[][^\s{}[\]]/.test(text)
  return document.toString({ lineWidth: 0, flowCollectionPadding })
}
