import { mayDo } from '../state/session.ts'
import { NameCard } from './name-card.tsx'

type Props = {
  readonly email: string
  /** Display names by email, from the answer that has the email. */
  readonly names: Readonly<Record<string, string>>
  /** Whether the name opens a card, for users who can read accounts. */
  readonly isLink?: boolean
}

/** The display name of a person, with a card of actions if `isLink`. The email itself for a person without an account. */
export const Person = ({ email, names, isLink = false }: Props) => {
  const name = names[email] ?? email
  if (isLink && mayDo('admin.users.read')) return <NameCard email={email} displayName={name} />
  return <bdi title={name === email ? undefined : email}>{name}</bdi>
}
