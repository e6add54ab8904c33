import { useState } from 'preact/hooks'
import { createCall } from '../../sdk/admin.ts'
import { type SignIn, signIn } from '../../sdk/auth.ts'
import { Field } from '../parts/field.tsx'
import { PasswordField } from '../parts/password-field.tsx'
import { serverUrl } from '../state/session.ts'
import { words } from '../words.ts'
import { Claimed } from './claimed.tsx'
import { DoorForm } from './door-form.tsx'

type Claimant = { readonly me: SignIn; readonly email: string; readonly isUnsaved: boolean }

const claimServer = async (claim: string, fields: FormData): Promise<Claimant> => {
  const text = (name: string) => String(fields.get(name))
  const displayName = text('displayName').trim()
  // Where an identity provider signs people in, the form does not ask.
  const requirePassword = fields.has('players') ? text('players') === 'password' : undefined
  const { body } = await createCall({ url: serverUrl, token: () => '' })('POST /auth/claim', {
    body: {
      claim,
      email: text('email'),
      password: text('password'),
      ...(displayName !== '' && { displayName }),
      ...(requirePassword !== undefined && { requirePassword }),
    },
  })
  const isUnsaved = requirePassword !== body.requirePassword
  return { me: await signIn({ url: serverUrl, token: body.token }), email: text('email'), isUnsaved }
}

const Choice = ({ value, isDefault = false }: { readonly value: 'password' | 'email'; readonly isDefault?: boolean }) => (
  <>
    <label class="check">
      <input type="radio" name="players" value={value} defaultChecked={isDefault} aria-describedby={`players-${value}`} />
      {words.claim.players[value]}
    </label>
    <small id={`players-${value}`}>{words.claim.playersMore[value]}</small>
  </>
)

/** Creates the first administrator of a new server, with the claim of the link that the server printed. */
export const ClaimForm = ({ claim, isLocal }: { readonly claim: string; readonly isLocal: boolean }) => {
  const [claimant, setClaimant] = useState<Claimant>()
  if (claimant !== undefined) return <Claimed {...claimant} />
  return (
    <>
      <h1>{words.claim.title}</h1>
      <p>{words.claim.lead}</p>
      <DoorForm action={words.claim.submit} submit={async (fields) => setClaimant(await claimServer(claim, fields))}>
        <Field label={words.signIn.email} name="email">
          <input name="email" type="email" required autocomplete="username" maxLength={254} />
        </Field>
        <PasswordField label={words.signIn.password} isNew />
        <Field label={words.claim.displayName} name="displayName">
          <input name="displayName" autocomplete="nickname" maxLength={32} />
        </Field>
        {isLocal && (
          <fieldset>
            <legend>{words.claim.playersTitle}</legend>
            <Choice value="password" isDefault />
            <Choice value="email" />
          </fieldset>
        )}
      </DoorForm>
    </>
  )
}
