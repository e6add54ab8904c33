import type { ComponentChildren } from 'preact'
import { may } from '../state/session.ts'
import { words } from '../words.ts'

/** What a permission opens; in its place which one is missing, and whether signing in by password would give it. */
export const Allowed = ({ to, children }: { readonly to: string; readonly children: ComponentChildren }) => {
  if (may.value?.permissions.has(to)) return <>{children}</>
  return <p class="box">{may.value?.unverified.has(to) ? words.needsVerified(to) : words.needsPermission(to)}</p>
}
