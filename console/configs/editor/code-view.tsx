import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { Fault } from '../dry-run.ts'
import type { Schema } from '../schema.ts'
import { type CodeEditor, createCodeEditor } from './code-editor.ts'

type Props = {
  readonly text: string
  readonly label: string
  readonly isReadOnly?: boolean
  readonly schema?: Schema
  readonly original?: string
  readonly faults?: readonly Fault[]
  readonly change?: (text: string) => void
  /** The line and column of the cursor, such as "7:3". */
  readonly at?: string
}

const noFaults: readonly Fault[] = []

/** Shows YAML for editing, for reading, or as a comparison with `original`. */
export const CodeView = ({ text, label, isReadOnly = false, schema, original, faults = noFaults, change, at }: Props) => {
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
      ...(schema && { schema }),
      ...(original !== undefined && { original }),
      change: (next) => changed.current?.(next),
    })
    editor.current = made
    return () => made.close()
  }, [label, isReadOnly, schema, original])
  // Runs during rendering. A later effect would overwrite new input.
  useLayoutEffect(() => editor.current?.setText(text), [text])
  useEffect(() => editor.current?.setFaults(faults), [faults])
  useEffect(() => {
    const [line, column] = (at ?? '').split(':').map(Number)
    if (line !== undefined && line > 0) editor.current?.goTo(line, column ?? 1)
  }, [at, label, isReadOnly, schema, original])
  return <div ref={host} class="code" />
}
