import { useState } from 'preact/hooks'
import { createCall } from '../../sdk/admin.ts'
import { GatehouseError, type SignIn, signIn } from '../../sdk/client.ts'
import { Field } from '../parts/field.tsx'
import { ProblemBox } from '../parts/problem-box.tsx'
import { serverUrl } from '../state/session.ts'
import { words } from '../words.ts'
import { Claimed } from './claimed.tsx'

type Claimant = { readonly me: SignIn; readonly email: string }

/** Makes the first administrator of a new server, with the claim of the link that the server printed. */
export const ClaimForm = ({ claim }: { readonly claim: string }) => {
  const [claimant, setClaimant] = useState<Claimant>()
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const fields = new FormData(event.currentTarget)
    const text = (name: string) => String(fields.get(name))
    setBusy(true)
    setError(undefined)
    try {
      if (text('email') !== text('emailAgain')) throw new GatehouseError('emails-differ', words.claim.emailsDiffer)
      const displayName = text('displayName').trim()
      const { body } = await createCall({ url: serverUrl, token: () => '' })('POST /auth/claim', {
        body: { claim, email: text('email'), password: text('password'), ...(displayName !== '' && { displayName }) },
      })
      setClaimant({ me: await signIn({ url: serverUrl, token: body.token }), email: text('email') })
    } catch (problem) {
      setError(problem)
    }
    setBusy(false)
  }
  if (claimant !== undefined) return <Claimed {...claimant} />
  return (
    <form onSubmit={submit}>
      <h1>{words.claim.title}</h1>
      <p>{words.claim.lead}</p>
      <Field label={words.signIn.email}>
        <input name="email" type="email" required autocomplete="username" maxLength={254} />
      </Field>
      <Field label={words.claim.emailAgain}>
        <input name="emailAgain" type="email" required autocomplete="off" maxLength={254} />
      </Field>
      <Field label={words.signIn.password} hint={words.people.passwordHint}>
        <input name="password" type="password" required autocomplete="new-password" minLength={8} maxLength={72} />
      </Field>
      <Field label={words.claim.displayName}>
        <input name="displayName" autocomplete="nickname" maxLength={32} />
      </Field>
      <ProblemBox error={error} />
      <button type="submit" class="main" disabled={isBusy}>
        {isBusy ? words.working : words.claim.submit}
      </button>
    </form>
  )
}
