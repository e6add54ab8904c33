import { isMap, parseDocument } from 'yaml'

/** One setting: its path in the file, and its value. */
export type ConfigSetting = { readonly path: readonly string[]; readonly value: string | number | boolean }

/**
 * The text with other values at these paths. Comments and everything else stay, and a text of comments alone stays as the head of the file.
 * The text is valid YAML.
 */
export const setConfigValues = (text: string, settings: readonly ConfigSetting[]): string => {
  const document = parseDocument(text)
  if (!isMap(document.contents)) {
    // A comment alone would be read as what follows the first key.
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
