import type { SessionState } from '../state/session.ts'
import { words } from '../words.ts'
import { ClaimForm } from './claim-form.tsx'
import { LinkForm } from './link-form.tsx'
import { SignInForm } from './sign-in-form.tsx'

/** What somebody sees who is not signed in. */
export const Door = ({ state }: { readonly state: Extract<SessionState, { readonly kind: 'beginning' | 'out' }> }) => (
  <main class="door">
    <div class="card">
      <p class="brand">
        <span class="gate" aria-hidden="true" />
        {words.product}
      </p>
      {state.kind === 'beginning' ? (
        <p role="status">{state.isAway ? words.lost : words.loading}</p>
      ) : state.claim !== undefined ? (
        <ClaimForm claim={state.claim} />
      ) : state.link !== undefined ? (
        <>
          <h1>{state.link.kind === 'invite' ? words.ways.inviteTitle : words.ways.resetTitle}</h1>
          <LinkForm link={state.link} />
        </>
      ) : (
        <>
          <h1>{words.signIn.title}</h1>
          {state.why !== undefined && (
            <p class="box" role="status">
              {state.why}
            </p>
          )}
          <SignInForm {...(state.email !== undefined && { email: state.email })} />
        </>
      )}
    </div>
  </main>
)
