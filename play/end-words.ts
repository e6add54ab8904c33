import { GatehouseError } from '../sdk/client.ts'

/** A moment as people say it; the day where it is not today. */
const describeMoment = (iso: string): string => {
  const at = new Date(iso)
  if (Number.isNaN(at.getTime())) return iso
  const isToday = at.toDateString() === new Date().toDateString()
  return at.toLocaleString(undefined, isToday ? { timeStyle: 'short' } : { dateStyle: 'medium', timeStyle: 'short' })
}
export const describeUntil = (until: string | undefined): string =>
  until === undefined ? 'for good' : `until ${describeMoment(until)}`

export const endedTitle = 'The game is over for now'

const otherVersion = { title: 'The game has another version by now', text: 'Load this page again to play on.' }

/** Why a session is over; the rest is told in the words of the server. */
const ends: Readonly<Record<string, { readonly title: string; readonly text?: string }>> = {
  kicked: { title: 'You were sent out' },
  displaced: { title: 'You play elsewhere now', text: 'The same account came in from another page or program.' },
  'in-use': { title: 'Somebody plays with this account' },
  'account-removed': { title: 'Your account is gone' },
  'sign-in-ended': { title: 'You were signed out', text: 'Sign in again to go on.' },
  'not-admitted': { title: 'You may not come in' },
  'account-banned': { title: 'You are banned' },
  'protocol-version': otherVersion,
}

/** The end of a session; `kick` is what the server said before it closed the connection, and counts where it is of that very reason. */
export const describeEnd = (
  { reason, text }: { readonly reason: string; readonly text: string },
  kick?: { readonly code: string; readonly reason: string; readonly until?: string | undefined },
): { readonly title: string; readonly text: string } => {
  const told = kick?.code === reason ? kick : undefined
  if (told?.code === 'banned') return { title: `You are banned ${describeUntil(told.until)}`, text: told.reason }
  const end = ends[reason]
  return { title: end?.title ?? endedTitle, text: end?.text ?? (told?.reason || text) }
}

/** For players; the client library says of these what who runs the server or writes a client may do. */
const faults: Readonly<Record<string, string>> = {
  unreachable: 'The server does not answer: are you online? Try again in a moment.',
  'not-gatehouse':
    'Something else than the game answers. Does this network want you to sign in to it first? Else try again in a moment.',
  'protocol-version': `${otherVersion.title}. ${otherVersion.text}`,
}

/** What went wrong, as far as it is known. */
export const describeFault = (error: unknown): string => {
  const known = error instanceof GatehouseError ? faults[error.type] : undefined
  const text = known ?? (error instanceof Error ? error.message : '')
  return text === '' ? 'Something went wrong.' : text
}
