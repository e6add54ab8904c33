import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { indentOnInput, indentUnit } from '@codemirror/language'
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint'
import { type EditorState, type Extension, Prec, StateEffect } from '@codemirror/state'
import { EditorView, highlightActiveLine, type KeyBinding, keymap } from '@codemirror/view'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Fault } from '../dry-run.ts'
import type { Schema } from '../schema.ts'
import { type CodeEditor, createCodeEditor, findPlace } from './code-editor.ts'
import { explainKey } from './explain-key.ts'

type Props = {
  readonly text: string
  readonly label: string
  readonly isReadOnly: boolean
  readonly schema: Schema
  readonly faults: readonly Fault[]
  readonly change: (text: string) => void
  /** The line and column of the cursor, such as "7:3". */
  readonly at?: string
}

/** Keys that load the search at its first use. */
const searchKeys: readonly KeyBinding[] = (
  [
    ['Mod-f', 'openSearchPanel'],
    ['F3', 'findNext'],
    ['Mod-g', 'findNext'],
    ['Mod-Alt-g', 'gotoLine'],
    ['Mod-d', 'selectNextOccurrence'],
    ['Mod-Shift-l', 'selectSelectionMatches'],
  ] as const
).map(([key, command]) => ({
  key,
  preventDefault: true,
  run: (view: EditorView) => {
    void import('@codemirror/search').then((search) => {
      view.dispatch({ effects: StateEffect.appendConfig.of(Prec.high(keymap.of([...search.searchKeymap]))) })
      search[command](view)
    })
    return true
  },
}))

/** Adds the completion when the editor first has the focus. Without the server it is added at a later focus. */
const loadCompletion = (schema: Schema): Extension => {
  let isAdded = false
  const focus = async (view: EditorView): Promise<void> => {
    const { doc } = view.state
    const loaded = await import('./completion.ts').catch(() => undefined)
    if (loaded === undefined || isAdded) return
    isAdded = true
    loaded.addCompletion(view, schema, !view.state.doc.eq(doc))
  }
  return EditorView.domEventHandlers({ focus: (_event, view) => void focus(view) })
}

/** The height that the screen has below the head of the page and above the buttons. */
const tall = EditorView.theme({ '.cm-scroller': { height: 'max(20rem, calc(100dvh - 19rem))', maxHeight: 'none' } })

const listExtensions = (schema: Schema, isReadOnly: boolean): readonly Extension[] => [
  indentUnit.of('  '),
  Prec.high(tall),
  ...(isReadOnly ? [] : [history(), indentOnInput(), highlightActiveLine()]),
  lintGutter(),
  // Tab indents; Escape and then Tab leaves the editor.
  keymap.of([...searchKeys, ...historyKeymap, ...defaultKeymap, indentWithTab]),
  explainKey(schema),
  loadCompletion(schema),
]

const toDiagnostic =
  (state: EditorState) =>
  ({ line = 1, column = 1, message }: Fault): Diagnostic => {
    const { from, at } = findPlace(state, line, column)
    return { from, to: Math.max(from, at.to), severity: 'error', message }
  }

/** A config file as text, with completion, explanations of its keys, and its faults. */
export const TextEditor = ({ text, label, isReadOnly, schema, faults, change, at }: Props) => {
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<CodeEditor>(undefined)
  const changed = useRef(change)
  changed.current = change
  useEffect(() => {
    if (host.current === null) return undefined
    const made = createCodeEditor(host.current, {
      text,
      label,
      isReadOnly,
      extensions: listExtensions(schema, isReadOnly),
      change: (next) => changed.current(next),
    })
    editor.current = made
    return () => made.close()
  }, [label, isReadOnly, schema])
  // Runs during rendering. A later effect would overwrite new input.
  useLayoutEffect(() => editor.current?.setText(text), [text])
  useEffect(() => {
    const { view } = editor.current ?? {}
    view?.dispatch(setDiagnostics(view.state, faults.map(toDiagnostic(view.state))))
  }, [faults])
  useEffect(() => {
    const [line, column] = (at ?? '').split(':').map(Number)
    if (line !== undefined && line > 0) editor.current?.goTo(line, column ?? 1)
  }, [at, label, isReadOnly, schema])
  return <div ref={host} class="code" />
}
