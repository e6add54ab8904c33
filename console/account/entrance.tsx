import type { ComponentChildren } from 'preact'
import { Lazy } from '../parts/lazy.tsx'
import { useLoad } from '../state/load.ts'
import { type SessionState, serverUrl } from '../state/session.ts'
import { words } from '../words/of-frame.ts'
import { askHow } from './ask-how.ts'
import { SignInForm } from './sign-in-form.tsx'

type Out = Extract<SessionState, { readonly kind: 'out' }>

const Notice = ({ text }: { readonly text: string | undefined }) =>
  text === undefined ? null : (
    <p class="box" role="status">
      {text}
    </p>
  )

/** Where the claim link of a new server is. */
const Unclaimed = ({ children }: { readonly children?: ComponentChildren }) => (
  <>
    <h1>{words.unclaimed.title}</h1>
    <p>{words.unclaimed.where}</p>
    <p>
      <code>{`${serverUrl}/claim#…`}</code>
    </p>
    <p class="quiet">{words.unclaimed.lost}</p>
    {children}
  </>
)

const SignInCard = ({ why, email }: { readonly why: string | undefined; readonly email?: string | undefined }) => (
  <>
    <h1>{words.signIn.title}</h1>
    <Notice text={why} />
    <SignInForm {...(email !== undefined && { email })} />
    <p>
      <a href={`${serverUrl}/play`}>{words.play}</a>
    </p>
  </>
)

/** What a visitor needs: to sign in, to claim the server, or to use a link. */
export const Entrance = ({ state }: { readonly state: Out }) => {
  const how = useLoad(askHow, [])
  const { claim, link } = state
  if (link !== undefined)
    return (
      <>
        <h1>{link.kind === 'invite' ? words.ways.inviteTitle : words.ways.resetTitle}</h1>
        <Lazy name="link" of={async () => (await import('./link-form.tsx')).LinkForm} props={{ link }} />
      </>
    )
  if (claim !== undefined && how.value === undefined && how.error === undefined) return <p role="status">{words.loading}</p>
  if (claim !== undefined && how.value?.unclaimed !== true && how.error === undefined)
    return <SignInCard why={words.unclaimed.used} />
  if (claim !== undefined) {
    const isLocal = how.value?.provider !== 'oauth'
    return <Lazy name="claim" of={async () => (await import('./claim-form.tsx')).ClaimForm} props={{ claim, isLocal }} />
  }
  if (how.value?.unclaimed && state.why === undefined && state.email === undefined)
    return <Unclaimed>{how.value.provider === 'oauth' && <SignInForm />}</Unclaimed>
  return <SignInCard why={state.why} email={state.email} />
}
