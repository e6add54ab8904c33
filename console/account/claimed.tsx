import { useEffect, useRef, useState } from 'preact/hooks'
import type { SignIn } from '../../sdk/client.ts'
import { Copyable } from '../parts/copyable.tsx'
import { ProblemBox } from '../parts/problem-box.tsx'
import { useLoad } from '../state/load.ts'
import { passwordLines, playCommand } from '../state/next-steps.ts'
import { enter, serverUrl } from '../state/session.ts'
import { words } from '../words.ts'
import { askHow } from './ask-how.ts'

/** What the first administrator does next: play, close the door to the nameless, go on to the console. */
export const Claimed = ({ me, email }: { readonly me: SignIn; readonly email: string }) => {
  const how = useLoad(askHow, [])
  const [error, setError] = useState<unknown>()
  // Where an identity provider signs people in, there is no password to ask for.
  const isLocal = how.value?.provider === 'local'
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <>
      <h1 ref={heading} tabIndex={-1}>
        {words.claimed.title}
      </h1>
      <p>{words.claimed.lead(me.displayName, email)}</p>
      {isLocal && (
        <>
          <h2>{words.claimed.play}</h2>
          <p>{words.claimed.playHow}</p>
          <Copyable text={playCommand(email, serverUrl)} label={words.claimed.command} />
        </>
      )}
      {isLocal && how.value?.requirePassword === false && (
        <>
          <h2>{words.claimed.passwords}</h2>
          <p>{words.claimed.passwordsHow}</p>
          <Copyable text={passwordLines} label={words.claimed.lines} />
          <p class="quiet">{words.claimed.passwordsMore}</p>
        </>
      )}
      <ProblemBox error={error} />
      <button type="button" class="main" onClick={() => void enter(me).catch(setError)}>
        {words.claimed.goOn}
      </button>
    </>
  )
}
