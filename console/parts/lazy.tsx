import type { ComponentChildren, ComponentType } from 'preact'
import { GatehouseError } from '../../sdk/auth.ts'
import { answers, noteLost } from '../state/api.ts'
import { useLoad } from '../state/load.ts'
import { words } from '../words/of-frame.ts'
import { Loading } from './loading.tsx'

type Props<P> = {
  readonly of: () => Promise<ComponentType<P>>
  readonly name: string
  readonly props: P
  /** Takes the room of the component while it loads. */
  readonly waiting?: ComponentChildren
  /** Shows nothing while it loads. */
  readonly isQuiet?: boolean
}

/** Reloads the page if the server answers. Without it the browser would replace the console by its own error page. */
const reloadPage = async (): Promise<void> => {
  if (await answers()) location.reload()
  else noteLost()
}

/** A component that is loaded when it is first needed. */
export const Lazy = <P extends object>({ of, name, props, waiting, isQuiet = false }: Props<P>) => {
  const loaded = useLoad(async () => {
    try {
      return { Part: await of() }
    } catch (cause) {
      // It loads when the server is back.
      if (!(await answers())) {
        noteLost()
        throw new GatehouseError('page-not-loaded', words.pageAway, { cause })
      }
      throw new GatehouseError('page-not-loaded', words.pageNotLoaded, { cause })
    }
  }, [name])
  if (isQuiet && loaded.value === undefined && loaded.error === undefined) return null
  return (
    // Browsers do not load a module again that failed. The new page has the names of the new modules.
    <Loading of={{ ...loaded, reload: () => void reloadPage() }} waiting={waiting}>
      {({ Part }) => <Part {...props} />}
    </Loading>
  )
}
