import { autocompletion, completionKeymap } from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import { indentOnInput, indentUnit } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { unifiedMergeView } from '@codemirror/merge'
import { searchKeymap } from '@codemirror/search'
import { Annotation, EditorState, type Extension, type Line } from '@codemirror/state'
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import type { Fault } from '../dry-run.ts'
import type { Schema } from '../schema.ts'
import { completeConfig } from './complete-config.ts'
import { editorLook } from './editor-look.ts'
import { explainKey } from './explain-key.ts'

type Options = {
  readonly text: string
  /** The accessible name. */
  readonly label: string
  readonly isReadOnly: boolean
  readonly schema?: Schema
  /** Shows what `text` changes of this. */
  readonly original?: string
  readonly change?: (text: string) => void
}

export type CodeEditor = {
  /** Replaces the text. The editor's undo history keeps both. */
  setText(text: string): void
  setFaults(faults: readonly Fault[]): void
  /** Moves the cursor, and the focus, to a place counted from 1. */
  goTo(line: number, column: number): void
  close(): void
}

/** Marks a change by the page itself, which needs no callback. */
const isOutside = Annotation.define<boolean>()

/** The editor adds style elements, which the page's policy refuses outside of a shadow root. */
const openRoot = (host: HTMLElement): ShadowRoot => host.shadowRoot ?? host.attachShadow({ mode: 'open' })

const listKeys = () =>
  // Tab indents; Escape and then Tab leaves the editor.
  keymap.of([...completionKeymap, ...searchKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab])

const listExtensions = ({ label, isReadOnly, schema, original, change }: Options): readonly Extension[] => [
  editorLook,
  yaml(),
  lineNumbers(),
  drawSelection(),
  EditorView.lineWrapping,
  EditorView.contentAttributes.of({ 'aria-label': label, ...(isReadOnly && { 'aria-readonly': 'true', tabindex: '0' }) }),
  EditorState.tabSize.of(2),
  indentUnit.of('  '),
  ...(isReadOnly ? [EditorState.readOnly.of(true)] : [history(), indentOnInput(), highlightActiveLine()]),
  lintGutter(),
  listKeys(),
  ...(schema === undefined ? [] : [explainKey(schema), autocompletion({ override: [completeConfig(schema)], icons: false })]),
  ...(original === undefined
    ? []
    : [unifiedMergeView({ original, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } })]),
  EditorView.updateListener.of(({ docChanged, state, transactions }) => {
    if (docChanged && !transactions.some((one) => one.annotation(isOutside))) change?.(state.doc.toString())
  }),
]

/** The offset of a place counted from 1, and the end of its line. */
const findPlace = ({ doc }: EditorState, line: number, column: number): { readonly from: number; readonly at: Line } => {
  const at = doc.line(Math.min(Math.max(1, line), doc.lines))
  return { from: Math.min(at.from + column - 1, at.to), at }
}

const toDiagnostic =
  (state: EditorState) =>
  ({ line = 1, column = 1, message }: Fault): Diagnostic => {
    const { from, at } = findPlace(state, line, column)
    return { from, to: Math.max(from, at.to), severity: 'error', message }
  }

export const createCodeEditor = (host: HTMLElement, options: Options): CodeEditor => {
  const root = openRoot(host)
  const state = EditorState.create({ doc: options.text, extensions: [...listExtensions(options)] })
  const view = new EditorView({ state, root, parent: root })
  return {
    setText: (text) => {
      if (text === view.state.doc.toString()) return
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, annotations: isOutside.of(true) })
    },
    setFaults: (faults) => view.dispatch(setDiagnostics(view.state, faults.map(toDiagnostic(view.state)))),
    goTo: (line, column) => {
      const { from } = findPlace(view.state, line, column)
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
      view.focus()
    },
    close: () => view.destroy(),
  }
}
