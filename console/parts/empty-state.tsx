import type { ComponentChildren } from 'preact'
import { Icon, type IconName } from './icon.tsx'

/** For a page without content yet: an icon, one sentence, and the one action. */
export const EmptyState = ({
  icon,
  text,
  children,
}: {
  readonly icon: IconName
  readonly text: string
  readonly children?: ComponentChildren
}) => (
  <div class="empty">
    <Icon name={icon} />
    <p>{text}</p>
    {children}
  </div>
)
