import { useSignal } from '@preact/signals'
import { useCallback, useEffect, useMemo } from 'preact/hooks'
import { connect, leaveToSignIn, type Session, type SignIn } from '../../sdk/client.ts'
import { prepareScenery } from '../game/scenery.ts'
import { createTraffic } from '../game/traffic.ts'
import { startWorker } from '../render/trusted-urls.ts'
import {
  findSignIn,
  isRefused,
  isWrongPassword,
  type KeptToken,
  keepToken,
  type NewAccount,
  readRule,
  register,
  type SignInRule,
  serverUrl,
  setPassword,
  signInHere,
  takeLink,
} from '../state/account.ts'
import { openSettings } from '../state/stored-settings.ts'
import { findWorld, keepWorld, listWorlds } from '../state/worlds.ts'
import { words } from '../words.ts'
import { Door, type DoorWay } from './door.tsx'
import { NoWebgl } from './no-webgl.tsx'
import { PlayScreen } from './play-screen.tsx'

type Phase =
  | { readonly name: 'door' }
  | { readonly name: 'entering' }
  | { readonly name: 'game'; readonly session: Session; readonly me: SignIn; readonly kept: KeptToken }
  | { readonly name: 'broken'; readonly text: string }

const startWorkers = () => [startWorker('mesh-worker'), startWorker('mesh-worker')]

/** The app, from sign-in to the game and back. */
export const App = () => {
  const phase = useSignal<Phase>({ name: 'entering' })
  const rule = useSignal<SignInRule | undefined>(undefined)
  const problem = useSignal('')
  const notice = useSignal('')
  const isWrong = useSignal(false)
  const settings = useMemo(openSettings, [])
  const scenery = useMemo(() => prepareScenery(startWorkers), [])
  const traffic = useMemo(() => createTraffic(WebSocket, () => performance.now()), [])
  const canDraw = useSignal(true)
  const worlds = useSignal<readonly string[]>([])
  const world = useSignal(findWorld())
  const link = useMemo(takeLink, [])
  const way = useSignal<DoorWay>(link.resetCode !== '' ? 'reset' : link.invitation !== '' ? 'register' : 'sign-in')

  const chooseWorld = useCallback(
    (chosen: string) => {
      keepWorld(chosen)
      world.value = chosen
    },
    [world],
  )
  /** Forgets a world that is not running, so that the player can choose another. */
  const checkWorld = useCallback(async () => {
    const wanted = world.value
    if (wanted === '') return
    worlds.value = await listWorlds()
    if (worlds.value.length === 0 || worlds.value.includes(wanted)) return
    chooseWorld('')
    throw new Error(words.worlds.gone(wanted))
  }, [world, worlds, chooseWorld])
  const beginAgain = useCallback(
    () =>
      findSignIn(() => {
        notice.value = words.signIn.ignoredLink
      }),
    [notice],
  )
  const enter = useCallback(
    async (begin: () => Promise<SignIn | undefined>) => {
      phase.value = { name: 'entering' }
      problem.value = ''
      isWrong.value = false
      try {
        const me = await begin()
        if (me === undefined) {
          phase.value = { name: 'door' }
          return
        }
        const kept = keepToken(me, () => location.reload())
        const come = async (): Promise<Session> => {
          await checkWorld()
          // Without graphics the player does not join; the sign-in is kept.
          await scenery.drawable
          const { WebSocket } = traffic
          return connect(me, { clientName: 'gatehouse-play', WebSocket, ...(world.value !== '' && { world: world.value }) })
        }
        const session = await come().catch((error: unknown) => {
          kept.stop()
          me.close()
          if (isRefused(error)) kept.forget()
          throw error
        })
        phase.value = { name: 'game', session, me, kept }
      } catch (error) {
        problem.value = words.describe(error)
        isWrong.value = isWrongPassword(error)
        phase.value = { name: 'door' }
      }
    },
    [phase, problem, isWrong, world, traffic, checkWorld, scenery],
  )
  const ask = useCallback(() => {
    readRule().then(
      (read) => {
        rule.value = read
        // Keeps the reason for a failed join visible.
        if (problem.value === words.signIn.unreachable) problem.value = ''
      },
      () => {
        problem.value = words.signIn.unreachable
      },
    )
  }, [rule, problem])
  useEffect(() => {
    ask()
    void listWorlds().then((running) => {
      worlds.value = running
    })
    // Runs at once, to remove a token from the address.
    void enter(beginAgain)
    void scenery.firstTry.then((could) => {
      canDraw.value = could
    })
  }, [ask, enter, beginAgain, worlds, scenery, canDraw])
  const leave = useCallback(async () => {
    const now = phase.value
    if (now.name !== 'game') return
    // Signs out here first, whatever the server answers.
    now.kept.forget()
    await now.session.close().catch(() => undefined)
    await now.kept.signOut().catch(() => undefined)
    location.reload()
  }, [phase])
  const fail = useCallback(
    (text: string) => {
      phase.value = { name: 'broken', text }
    },
    [phase],
  )

  const retry = useCallback((): boolean => {
    canDraw.value = scenery.canDraw()
    return canDraw.value
  }, [canDraw, scenery])
  if (!canDraw.value) return <NoWebgl onRetry={retry} />
  const now = phase.value
  if (now.name === 'game')
    return (
      <PlayScreen
        scenery={scenery}
        session={now.session}
        traffic={traffic}
        me={now.me}
        worlds={worlds.value}
        settings={settings}
        onSignOut={() => void leave()}
        onFault={fail}
      />
    )
  if (now.name === 'broken')
    return (
      <div class="curtain" role="alert">
        <h2>{words.title}</h2>
        <p>{now.text}</p>
        <button type="button" class="main" onClick={() => location.reload()}>
          {words.signIn.again}
        </button>
      </div>
    )
  const makeAccount = async (wanted: NewAccount): Promise<SignIn> => {
    await register(wanted)
    // A player who is not admitted still has an account now, and the invitation is used.
    way.value = 'sign-in'
    return signInHere({ ...wanted, displayName: '' })
  }
  /** After setting a password, the player signs in with it. */
  const choosePassword = async (password: string): Promise<undefined> => {
    await setPassword(link.resetCode, password)
    way.value = 'sign-in'
    notice.value = words.reset.done
  }
  return (
    <Door
      way={way}
      rule={rule.value}
      problem={problem.value}
      notice={notice.value}
      invitation={link.invitation}
      isWrong={isWrong.value}
      isBusy={now.name === 'entering'}
      worlds={worlds.value}
      world={world.value}
      onWorld={chooseWorld}
      onSignIn={(credentials) => void enter(() => signInHere(credentials))}
      onRegister={(wanted) => void enter(() => makeAccount(wanted))}
      onPassword={(password) => void enter(() => choosePassword(password))}
      onLeave={() => leaveToSignIn({ url: serverUrl() })}
      onRetry={() => {
        ask()
        void enter(beginAgain)
      }}
    />
  )
}
