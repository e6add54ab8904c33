import { useRef, useState } from 'preact/hooks'
import { words } from '../words/of-frame.ts'

const select = (element: Element | null): void => {
  if (element !== null) getSelection()?.selectAllChildren(element)
}

/** A text with a copy button. If the browser refuses to copy, as without TLS, the text is selected instead. */
export const Copyable = ({ text, label }: { readonly text: string; readonly label: string }) => {
  const [isCopied, setCopied] = useState(false)
  const shown = useRef<HTMLPreElement>(null)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      select(shown.current)
    }
  }
  return (
    <div class="copyable">
      <pre ref={shown}>{text}</pre>
      <button type="button" aria-label={words.copyOf(label)} onClick={() => void copy()}>
        <span role="status">{isCopied ? words.copied : words.copy}</span>
      </button>
    </div>
  )
}
