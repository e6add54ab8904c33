import { GatehouseError } from '../sdk/client.ts'

/** Formats a time for people, with the date unless it is today. */
const describeMoment = (iso: string): string => {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return iso
  const isToday = at.toDateString() === new Date().toDateString()
  return at.toLocaleString(undefined, isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' })
}
export const describeUntil = (until: string | undefined): string =>
  until === undefined ? 'for good' : `until ${describeMoment(until)}`

export const endedTitle = 'You were disconnected'

const otherVersion = { title: 'The game was updated', text: 'Reload this page to keep playing.' }

/** Texts for why a session ended. Other reasons show the server's text. */
const ends: Readonly<Record<string, { readonly title: string; readonly text?: string }>> = {
  kicked: { title: 'You were kicked' },
  displaced: { title: 'You are playing elsewhere', text: 'Your account joined from another page or program.' },
  'in-use': { title: 'This account is already in the game' },
  'account-removed': { title: 'Your account was deleted' },
  'sign-in-ended': { title: 'You were signed out', text: 'Sign in again to continue.' },
  'not-admitted': { title: 'You cannot join' },
  'account-banned': { title: 'You are banned' },
  'protocol-version': otherVersion,
}

/** Describes the end of a session. `kick` is the server's last message; it applies only if its code matches the reason of the end. */
export const describeEnd = (
  { reason, text }: { readonly reason: string; readonly text: string },
  kick?: { readonly code: string; readonly reason: string; readonly until?: string | undefined },
): { readonly title: string; readonly text: string } => {
  const told = kick?.code === reason ? kick : undefined
  if (told?.code === 'banned') return { title: `You are banned ${describeUntil(told.until)}`, text: told.reason }
  const end = ends[reason]
  return { title: end?.title ?? endedTitle, text: end?.text ?? (told?.reason || text) }
}

/** Texts for players. The client library's own texts for these are for operators and developers. */
const faults: Readonly<Record<string, string>> = {
  unreachable: 'The server does not answer. Check your connection, and try again in a moment.',
  'not-gatehouse':
    'Something other than the game answered. This network may want you to sign in first. Otherwise, try again in a moment.',
  'protocol-version': `${otherVersion.title}. ${otherVersion.text}`,
}

export const describeFault = (error: unknown): string => {
  const known = error instanceof GatehouseError ? faults[error.type] : undefined
  const text = known ?? (error instanceof Error ? error.message : '')
  return text === '' ? 'Something went wrong.' : text
}
