import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { words } from '../words.ts'

/** The heading of a page, and what may be done on it. */
export const PageHead = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => {
  useEffect(() => {
    document.title = words.windowTitle(title)
  }, [title])
  return (
    <header class="page-head">
      <h1>{title}</h1>
      <div class="actions">{children}</div>
    </header>
  )
}
