import { Lazy } from '../parts/lazy.tsx'
import type { SessionState } from '../state/session.ts'
import { words } from '../words/of-frame.ts'
import { serverName } from './ask-how.ts'

/** The page of a visitor who is not signed in. */
export const Door = ({ state }: { readonly state: Extract<SessionState, { readonly kind: 'beginning' | 'out' }> }) => (
  <main class="door">
    <p class="brand">
      <span class="gate" aria-hidden="true" />
      <span class="brand-text">
        <bdi class="cut">{serverName.value ?? words.product}</bdi>
        <small class="quiet">{location.host}</small>
      </span>
    </p>
    <div class="card">
      {state.kind === 'beginning' ? (
        <p role="status">{state.isAway ? words.lost : words.loading}</p>
      ) : (
        <Lazy
          name="entrance"
          of={async () => (await import('./entrance.tsx')).Entrance}
          props={{ state }}
          waiting={<p role="status">{words.loading}</p>}
        />
      )}
    </div>
  </main>
)
