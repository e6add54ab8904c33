import { linkTo } from '../state/route.ts'
import { mayDo } from '../state/session.ts'

type Props = {
  readonly email: string
  /** Display names by email, from the answer that has the email. */
  readonly names: Readonly<Record<string, string>>
  /** Whether to link to the account, for users who can read accounts. */
  readonly isLink?: boolean
}

/** The display name of a person, with the email on hover. The email itself for a person without an account. */
export const Person = ({ email, names, isLink = false }: Props) => {
  const name = names[email] ?? email
  return (
    <bdi title={name === email ? undefined : email}>
      {isLink && mayDo('admin.users.read') ? <a href={linkTo(['people', email])}>{name}</a> : name}
    </bdi>
  )
}
