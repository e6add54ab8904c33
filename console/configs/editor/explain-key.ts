import { hoverTooltip, type Tooltip } from '@codemirror/view'
import { describeDefault, describeSchema, findSchema, type Schema } from '../schema.ts'
import { words } from '../words.ts'
import { listLinesAbove } from './complete-config.ts'
import { findPath, readLine } from './find-path.ts'

const createBox = (schema: Schema): HTMLElement => {
  const box = document.createElement('div')
  box.className = 'explained'
  const fallback = describeDefault(schema)
  for (const text of [describeSchema(schema), fallback === '' ? '' : words.configs.byDefault(fallback)]) {
    if (text === '') continue
    const line = document.createElement('p')
    line.textContent = text
    box.append(line)
  }
  return box
}

/** Shows the description of the key under the pointer. */
export const explainKey = (schema: Schema) =>
  hoverTooltip((view, pos): Tooltip | null => {
    const line = view.state.doc.lineAt(pos)
    const { key, column } = readLine(line.text)
    const from = line.from + column
    if (key === undefined || pos < from || pos > from + key.length) return null
    const of = findSchema(schema, [...findPath(listLinesAbove(view.state, line.number), line.text), key])
    if (of === undefined || describeSchema(of) === '') return null
    return { pos: from, end: from + key.length, above: true, create: () => ({ dom: createBox(of) }) }
  })
