import { yaml } from '@codemirror/lang-yaml'
import { Annotation, EditorState, type Extension, type Line } from '@codemirror/state'
import { drawSelection, EditorView, lineNumbers } from '@codemirror/view'
import { editorLook } from './editor-look.ts'

type Options = {
  readonly text: string
  /** The accessible name. */
  readonly label: string
  readonly isReadOnly: boolean
  /** For writing, or for a comparison. */
  readonly extensions: readonly Extension[]
  readonly change?: (text: string) => void
}

export type CodeEditor = {
  readonly view: EditorView
  /** Replaces the text. The editor's undo history keeps both. */
  setText(text: string): void
  /** Moves the cursor, and the focus, to a place counted from 1. */
  goTo(line: number, column: number): void
  close(): void
}

/** Marks a change by the page itself, which needs no callback. */
const isOutside = Annotation.define<boolean>()

/** The editor adds style elements, which the page's policy refuses outside of a shadow root. */
const openRoot = (host: HTMLElement): ShadowRoot => host.shadowRoot ?? host.attachShadow({ mode: 'open' })

/** The offset of a place counted from 1, and the end of its line. */
export const findPlace = ({ doc }: EditorState, line: number, column: number): { readonly from: number; readonly at: Line } => {
  const at = doc.line(Math.min(Math.max(1, line), doc.lines))
  return { from: Math.min(at.from + column - 1, at.to), at }
}

export const createCodeEditor = (host: HTMLElement, { text, label, isReadOnly, extensions, change }: Options): CodeEditor => {
  const root = openRoot(host)
  const state = EditorState.create({
    doc: text,
    extensions: [
      editorLook,
      yaml(),
      lineNumbers(),
      drawSelection(),
      EditorView.lineWrapping,
      EditorView.contentAttributes.of({ 'aria-label': label, ...(isReadOnly && { 'aria-readonly': 'true', tabindex: '0' }) }),
      EditorState.tabSize.of(2),
      EditorState.readOnly.of(isReadOnly),
      ...extensions,
      EditorView.updateListener.of(({ docChanged, state: next, transactions }) => {
        if (docChanged && !transactions.some((one) => one.annotation(isOutside))) change?.(next.doc.toString())
      }),
    ],
  })
  const view = new EditorView({ state, root, parent: root })
  return {
    view,
    setText: (next) => {
      if (next === view.state.doc.toString()) return
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next }, annotations: isOutside.of(true) })
    },
    goTo: (line, column) => {
      const { from } = findPlace(view.state, line, column)
      view.dispatch({ selection: { anchor: from }, effects: EditorView.scrollIntoView(from, { y: 'center' }) })
      view.focus()
    },
    close: () => view.destroy(),
  }
}
