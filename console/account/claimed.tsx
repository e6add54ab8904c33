import { useEffect, useRef, useState } from 'preact/hooks'
import type { SignIn } from '../../sdk/auth.ts'
import { Copyable } from '../parts/copyable.tsx'
import { Named } from '../parts/named.tsx'
import { ProblemBox } from '../parts/problem-box.tsx'
import { useLoad } from '../state/load.ts'
import { passwordLines, playCommand } from '../state/next-steps.ts'
import { enter, serverUrl } from '../state/session.ts'
import { words } from '../words.ts'
import { askHow } from './ask-how.ts'

type Props = {
  readonly me: SignIn
  readonly email: string
  /** The server could not write the choice to server.yaml. */
  readonly isUnsaved: boolean
}

/** What the first administrator can do next: go on to the console, play, and require passwords where they are not. */
export const Claimed = ({ me, email, isUnsaved }: Props) => {
  const how = useLoad(askHow, [])
  const [error, setError] = useState<unknown>()
  const isLocal = how.value?.provider === 'local'
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  const goOn = (act: () => void) => void enter(me).then(act).catch(setError)
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {words.claimed.title}
      </h1>
      <p>
        <Named say={words.claimed.lead} names={[me.displayName, email]} />
      </p>
      {isUnsaved && (
        <p class="box box-bad" role="alert">
          {words.claimed.unsaved}
        </p>
      )}
      {isLocal && how.value?.requirePassword === true && <p>{words.claimed.isSafe}</p>}
      {isLocal && how.value?.requirePassword === false && (
        <>
          <p>{words.claimed.passwordsHow}</p>
          <Copyable text={passwordLines} label={words.claimed.lines} />
          <p class="quiet">{words.claimed.passwordsMore}</p>
        </>
      )}
      <ProblemBox error={error} />
      <div class="actions">
        <button type="button" class="main" onClick={() => goOn(() => undefined)}>
          {words.claimed.goOn}
        </button>
        <button type="button" onClick={() => goOn(() => location.assign(`${serverUrl}/play`))}>
          {words.claimed.play}
        </button>
      </div>
      {isLocal && (
        <>
          <p class="quiet">{words.claimed.playHow}</p>
          <Copyable text={playCommand(email, serverUrl)} label={words.claimed.command} />
        </>
      )}
    </>
  )
}
