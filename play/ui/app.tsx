import { useSignal } from '@preact/signals'
import { useCallback, useEffect, useMemo } from 'preact/hooks'
import { connect, leaveToSignIn, type Session, type SignIn } from '../../sdk/client.ts'
import { findSignIn, keepToken, readRule, type SignInRule, serverUrl, signInHere } from '../state/account.ts'
import { openSettings } from '../state/settings.ts'
import { words } from '../words.ts'
import { PlayScreen } from './play-screen.tsx'
import { SignInForm } from './sign-in-form.tsx'

type Phase =
  | { readonly name: 'door' }
  | { readonly name: 'entering' }
  | { readonly name: 'game'; readonly session: Session; readonly me: SignIn }
  | { readonly name: 'broken'; readonly text: string }

/** From the door to the game and back. */
export const App = () => {
  const phase = useSignal<Phase>({ name: 'entering' })
  const rule = useSignal<SignInRule | undefined>(undefined)
  const problem = useSignal('')
  const settings = useMemo(openSettings, [])

  const enter = useCallback(
    async (begin: () => Promise<SignIn | undefined>) => {
      phase.value = { name: 'entering' }
      problem.value = ''
      try {
        const me = await begin()
        if (me === undefined) {
          phase.value = { name: 'door' }
          return
        }
        const forget = keepToken(me)
        const session = await connect(me, { clientName: 'gatehouse-play' }).catch((error: unknown) => {
          forget()
          throw error
        })
        phase.value = { name: 'game', session, me }
      } catch (error) {
        problem.value = words.describe(error)
        phase.value = { name: 'door' }
      }
    },
    [phase, problem],
  )
  const ask = useCallback(() => {
    readRule().then(
      (read) => {
        rule.value = read
        problem.value = ''
      },
      () => {
        problem.value = words.signIn.unreachable
      },
    )
  }, [rule, problem])
  useEffect(() => {
    ask()
    void enter(findSignIn)
  }, [ask, enter])
  const leave = useCallback(async () => {
    const now = phase.value
    if (now.name !== 'game') return
    await now.session.close().catch(() => undefined)
    await now.me.signOut().catch(() => undefined)
    sessionStorage.clear()
    location.reload()
  }, [phase])
  const fail = useCallback(
    (text: string) => {
      phase.value = { name: 'broken', text }
    },
    [phase],
  )

  const now = phase.value
  if (now.name === 'game')
    return <PlayScreen session={now.session} settings={settings} onSignOut={() => void leave()} onFault={fail} />
  if (now.name === 'broken')
    return (
      <div class="curtain" role="alert">
        <h2>{words.title}</h2>
        <p>{now.text}</p>
      </div>
    )
  return (
    <SignInForm
      rule={rule.value}
      problem={problem.value}
      isBusy={now.name === 'entering'}
      onSignIn={(email, password) => void enter(() => signInHere(email, password))}
      onLeave={() => leaveToSignIn({ url: serverUrl() })}
      onRetry={ask}
    />
  )
}
