import type { ComponentType } from 'preact'
import { useLoad } from '../state/load.ts'
import { Loading } from './loading.tsx'

type Props<P> = {
  readonly of: () => Promise<ComponentType<P>>
  readonly name: string
  readonly props: P
  /** Shows nothing while it loads. */
  readonly isQuiet?: boolean
}

/** A component that is loaded when it is first needed. */
export const Lazy = <P extends object>({ of, name, props, isQuiet = false }: Props<P>) => {
  const loaded = useLoad(async () => ({ Part: await of() }), [name])
  if (isQuiet && loaded.value === undefined && loaded.error === undefined) return null
  return <Loading of={loaded}>{({ Part }) => <Part {...props} />}</Loading>
}
