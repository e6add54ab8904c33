import type { ComponentChildren, ComponentType } from 'preact'
import { useLoad } from '../state/load.ts'
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
  const loaded = useLoad(async () => ({ Part: await of() }), [name])
  if (isQuiet && loaded.value === undefined && loaded.error === undefined) return null
  return (
    <Loading of={loaded} waiting={waiting}>
      {({ Part }) => <Part {...props} />}
    </Loading>
  )
}
