import type { ComponentChildren } from 'preact'
import { useEffect, useErrorBoundary, useRef, useState } from 'preact/hooks'
import { Door } from '../account/door.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { Lazy } from '../parts/lazy.tsx'
import { PageHead } from '../parts/page-head.tsx'
import { Time } from '../parts/time.tsx'
import { Toasts } from '../parts/toasts.tsx'
import { WaitBar } from '../parts/wait-bar.tsx'
import { connection, refreshPermissions } from '../state/api.ts'
import { useEvery } from '../state/load.ts'
import { linkTo, pageName, route } from '../state/route.ts'
import { failedSignIns, leave, leaveToPassword, may, mayDo, session } from '../state/session.ts'
import { words } from '../words/of-frame.ts'
import { layer, onShortcut } from './keyboard.ts'
import { pages } from './pages.tsx'
import { Sidebar } from './sidebar.tsx'

/** How often a page checks whether its sign-in has ended or its permissions have changed. */
const lookMs = 5000

/** Forms that load when they are needed. */
const NewPassword = (props: { readonly onDone?: () => void }) => (
  <Lazy name="new-password" of={async () => (await import('../account/new-password.tsx')).NewPassword} props={props} />
)
const SignInForm = (props: { readonly email: string }) => (
  <Lazy name="sign-in" of={async () => (await import('../account/sign-in-form.tsx')).SignInForm} props={props} />
)

/** Notices that the menu alone does not convey. */
const Standing = () => {
  if (may.value?.verified === false && may.value.unverified.size > 0)
    return (
      <div class="box box-warn">
        <p>{words.unverified}</p>
        <button type="button" onClick={leaveToPassword}>
          {words.signIn.withPassword}
        </button>
      </div>
    )
  if (may.value?.needsNewPassword === true)
    return (
      <div class="box box-warn">
        <p>{words.newPassword.lead}</p>
        <NewPassword />
      </div>
    )
  if (may.value?.permissions.size === 0) return <p class="box box-warn">{words.nothingAllowed}</p>
  return null
}

/** Tells a user about wrong passwords for their account, and offers to set a new one. */
const FailedSignIns = () => {
  const [isChanging, setChanging] = useState(false)
  const { count = 0, lastAt } = failedSignIns.value ?? {}
  if (count === 0) return null
  const close = () => {
    failedSignIns.value = undefined
  }
  return (
    <div class="box box-warn">
      <p role="status">
        {words.failedSignIns(count)} {lastAt !== undefined && <Time at={lastAt} />}
      </p>
      <p>{words.failedSignInsNext}</p>
      {isChanging && <NewPassword onDone={close} />}
      <div class="actions">
        {!isChanging && may.value?.needsNewPassword === false && (
          <button type="button" onClick={() => setChanging(true)}>
            {words.newPassword.submit}
          </button>
        )}
        <button type="button" onClick={close}>
          {words.close}
        </button>
      </div>
    </div>
  )
}

/** Which permission a page needs, and whether signing in by password would give it. */
const Missing = ({ permission }: { readonly permission: string }) => (
  <p class="box">{may.value?.unverified.has(permission) ? words.needsVerified(permission) : words.needsPermission(permission)}</p>
)

/** Its children, or a notice in their place if one of them throws. The menu and other pages still work. */
const Boundary = ({ children }: { readonly children: ComponentChildren }) => {
  const [fault, tryAgain] = useErrorBoundary((error) => reportError(error))
  if (fault === undefined) return <>{children}</>
  return (
    <div class="box box-bad" role="alert">
      <h1>{words.pageFailed}</h1>
      <p>{words.pageFailedNext}</p>
      <button type="button" onClick={tryAgain}>
        {words.tryAgain}
      </button>
    </div>
  )
}

const Content = () => {
  const [name = 'home', ...parts] = route.value.parts
  const page = pages.find((one) => one.name === name)
  if (page === undefined)
    return (
      <>
        <PageHead title={words.notFound} />
        <a href={linkTo([])}>{words.pages.home}</a>
      </>
    )
  if (page.permission === undefined || mayDo(page.permission)) return page.show(parts)
  return (
    <>
      <PageHead title={words.pages[page.name]} />
      <Missing permission={page.permission} />
    </>
  )
}

/** The search or the help above the page. */
const Layer = () => {
  if (layer.value === 'palette')
    return <Lazy name="palette" of={async () => (await import('./palette.tsx')).Palette} props={{}} isQuiet />
  if (layer.value === 'help')
    return <Lazy name="help" of={async () => (await import('./help-dialog.tsx')).HelpDialog} props={{}} isQuiet />
  return null
}

const Shell = () => {
  const main = useRef<HTMLElement>(null)
  const current = pageName.value
  const isFirst = useRef(true)
  useEvery(lookMs, () => void refreshPermissions())
  useEffect(() => {
    addEventListener('keydown', onShortcut)
    return () => removeEventListener('keydown', onShortcut)
  }, [])
  useEffect(() => {
    // Announces the new page to screen readers. The browser announces the first page itself.
    if (!isFirst.current) main.current?.focus()
    isFirst.current = false
  }, [current])
  return (
    <div class="shell">
      <Sidebar current={current} skip={() => main.current?.focus()} />
      <main ref={main} tabIndex={-1}>
        {connection.value.isLost && (
          <p class="box box-bad" role="alert">
            {words.lost}
          </p>
        )}
        <FailedSignIns />
        <Standing />
        <Boundary key={current}>
          <Content />
        </Boundary>
      </main>
      <Layer key={layer.value} />
    </div>
  )
}

/** The sign-in form over a page whose sign-in has ended. The page keeps its unsaved input and receives no keys. */
const SignInAgain = () => {
  const state = session.value
  if (state.kind !== 'over') return null
  return (
    <Dialog title={words.signIn.overTitle}>
      <p>{words.signIn.overLead}</p>
      <SignInForm email={state.may.email} />
      <footer>
        <span class="quiet">{words.signIn.overLeave}</span>
        <button type="button" onClick={() => void leave()}>
          {words.signOut}
        </button>
      </footer>
    </Dialog>
  )
}

export const App = () => {
  const state = session.value
  if (state.kind === 'beginning' || state.kind === 'out') return <Door state={state} />
  return (
    <>
      {/* Another account that signs in gets a new page, without the state of the previous one. */}
      <Shell key={state.may.email} />
      <SignInAgain />
      <WaitBar />
      <Toasts />
    </>
  )
}
