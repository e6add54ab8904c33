import type { ComponentChildren, ComponentType } from 'preact'
import { GatehouseError } from '../../sdk/auth.ts'
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

/** A component that is loaded when it is first needed. */
export const Lazy = <P extends object>({ of, name, props, waiting, isQuiet = false }: Props<P>) => {
  const loaded = useLoad(async () => {
    try {
      return { Part: await of() }
    } catch (cause) {
      throw new GatehouseError('page-not-loaded', words.pageNotLoaded, { cause })
    }
  }, [name])
  if (isQuiet && loaded.value === undefined && loaded.error === undefined) return null
  return (
    // Browsers do not load a module again that failed. The new page has the names of the new modules.
    <Loading of={{ ...loaded, reload: () => location.reload() }} waiting={waiting}>
      {({ Part }) => <Part {...props} />}
    </Loading>
  )
}
