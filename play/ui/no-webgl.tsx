import { useSignal } from '@preact/signals'
import { serverUrl } from '../state/account.ts'
import { words } from '../words.ts'
import { Backdrop } from './backdrop.tsx'

/** Replaces the sign-in page if the browser cannot draw the game. */
export const NoWebgl = ({ onRetry }: { readonly onRetry: () => boolean }) => {
  const tries = useSignal(0)
  return (
    <main class="door">
      <Backdrop />
      <div class="window">
        <h1>{words.title}</h1>
        <p role="alert">{words.webgl.lead}</p>
        <p class="lead">{words.webgl.why}</p>
        <button
          type="button"
          class="main"
          onClick={() => {
            if (!onRetry()) tries.value += 1
          }}
        >
          {words.signIn.again}
        </button>
        <p class="problem" role="status">
          {tries.value === 0 ? '' : words.webgl.still}
        </p>
        <p class="lead">
          {words.webgl.elsewhere} <a href={`${serverUrl()}/console`}>{words.webgl.console}</a>.
        </p>
      </div>
    </main>
  )
}
