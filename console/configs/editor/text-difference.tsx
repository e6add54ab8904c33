import { unifiedMergeView } from '@codemirror/merge'
import { useEffect, useRef } from 'preact/hooks'
import { createCodeEditor } from './code-editor.ts'

type Props = { readonly text: string; readonly original: string; readonly label: string }

/** What `text` changes of `original`. */
export const TextDifference = ({ text, original, label }: Props) => {
  const host = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (host.current === null) return undefined
    const extensions = [unifiedMergeView({ original, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } })]
    return createCodeEditor(host.current, { text, label, isReadOnly: true, extensions }).close
  }, [text, original, label])
  return <div ref={host} class="code" />
}
