import type { ComponentType } from 'preact'
import { useLoad } from '../state/load.ts'
import { Loading } from './loading.tsx'

type Props<P> = { readonly of: () => Promise<ComponentType<P>>; readonly name: string; readonly props: P }

/** A component that is loaded when it is first needed. */
export const Lazy = <P extends object>({ of, name, props }: Props<P>) => {
  const loaded = useLoad(async () => ({ Part: await of() }), [name])
  return <Loading of={loaded}>{({ Part }) => <Part {...props} />}</Loading>
}
