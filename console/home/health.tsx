import { Loading } from '../parts/loading.tsx'
import { useEvery, useLoad } from '../state/load.ts'
import { serverUrl } from '../state/session.ts'
import { words } from '../words.ts'

type Ready = {
  readonly ready: boolean
  readonly dependencies: readonly {
    readonly name: string
    readonly neededFor: string
    readonly ok: boolean
    readonly detail?: string
  }[]
  readonly warnings: readonly string[]
}

/** `/readyz` answers 503 with the same body while a dependency is unreachable. */
const ask = async (signal: AbortSignal): Promise<Ready> => (await fetch(`${serverUrl}/readyz`, { signal })).json()

/** The health of the server and its dependencies, with warnings. */
export const Health = ({ everyMs }: { readonly everyMs: number }) => {
  const health = useLoad(ask, [])
  useEvery(everyMs, health.refresh)
  return (
    <section class="card">
      <h2>{words.home.health}</h2>
      <Loading of={health}>
        {({ ready, dependencies, warnings }) => (
          <>
            <p>
              <span class={ready ? 'badge good' : 'badge bad'}>{ready ? words.home.ready : words.home.notReady}</span>
            </p>
            <ul class="plain-list">
              {dependencies.map(({ name, ok, neededFor, detail }) => (
                <li key={name}>
                  <span class={ok ? 'dot good' : 'dot bad'} aria-hidden="true" />
                  <strong>{name}</strong>: {ok ? words.home.ok : words.home.away}
                  <br />
                  <small>{ok ? neededFor : (detail ?? neededFor)}</small>
                </li>
              ))}
            </ul>
            {warnings.length > 0 && (
              <div class="box box-warn">
                <strong>{words.home.warnings}</strong>
                <ul>
                  {warnings.map((warning) => (
                    <li key={warning}>{warning}</li>
                  ))}
                </ul>
              </div>
            )}
          </>
        )}
      </Loading>
    </section>
  )
}
