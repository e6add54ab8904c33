import { useState } from 'preact/hooks'
import { GatehouseError, signIn } from '../../sdk/client.ts'
import { Field } from '../parts/field.tsx'
import { ProblemBox } from '../parts/problem-box.tsx'
import { useLoad } from '../state/load.ts'
import { enter, leaveToProvider, serverUrl } from '../state/session.ts'
import { words } from '../words.ts'
import { askHow } from './ask-how.ts'

/** Signs in as the server asks for it: by email and password, or at the identity provider. */
export const SignInForm = ({ email = '' }: { readonly email?: string }) => {
  const how = useLoad(askHow, [])
  const [error, setError] = useState<unknown>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (!(event.currentTarget instanceof HTMLFormElement)) return
    const fields = new FormData(event.currentTarget)
    setBusy(true)
    setError(undefined)
    try {
      const password = String(fields.get('password'))
      const me = await signIn({ url: serverUrl, email: String(fields.get('email')), password, remember: false })
      if (password !== '' && me.verified === false) {
        // Where the server requires no password, it lets in a visitor with a wrong one.
        await me.signOut().catch(() => undefined)
        throw new GatehouseError('wrong-password', words.signIn.wrongPassword)
      }
      await enter(me)
    } catch (problem) {
      setError(problem)
    }
    setBusy(false)
  }
  if (how.value !== undefined && how.value.provider !== 'local')
    return (
      <button type="button" class="main" onClick={leaveToProvider}>
        {words.signIn.atProvider}
      </button>
    )
  return (
    <form onSubmit={submit}>
      <Field label={words.signIn.email}>
        <input name="email" type="email" required autocomplete="username" maxLength={254} defaultValue={email} />
      </Field>
      <Field label={words.signIn.password} {...(how.value?.requirePassword === false && { hint: words.signIn.passwordHint })}>
        <input name="password" type="password" autocomplete="current-password" required={how.value?.requirePassword ?? false} />
      </Field>
      <ProblemBox error={error ?? how.error} />
      <button type="submit" class="main" disabled={isBusy}>
        {isBusy ? words.working : words.signIn.submit}
      </button>
    </form>
  )
}
