import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { serverName } from '../account/ask-how.ts'
import { words } from '../words/of-frame.ts'

/** The heading of a page, with its actions. */
export const PageHead = ({
  title,
  badge,
  lead,
  children,
}: {
  readonly title: string
  readonly badge?: ComponentChildren
  /** Before the title. */
  readonly lead?: ComponentChildren
  readonly children?: ComponentChildren
}) => {
  const server = serverName.value ?? words.product
  useEffect(() => {
    document.title = words.windowTitle(title, server)
  }, [title, server])
  return (
    <header class="page-head">
      <div class="page-title">
        {lead}
        <h1>
          <bdi>{title}</bdi>
        </h1>
        {badge}
      </div>
      <div class="actions">{children}</div>
    </header>
  )
}
