import type { ComponentChildren } from 'preact'
import { UnreachableError } from '../../sdk/auth.ts'
import type { Loaded } from '../state/load.ts'
import { words } from '../words/of-frame.ts'
import { ProblemBox } from './problem-box.tsx'

/** Grey lines in place of content that loads. `height` is in rem. */
export const Skeleton = ({ height }: { readonly height?: number }) => (
  <div class="skeleton" role="status" style={height === undefined ? undefined : { height: `${height}rem` }}>
    <span class="sr-only">{words.loading}</span>
  </div>
)

/** Renders the loaded value. On an error, shows it beside the previous value, unless the frame of the page already reports it. */
export const Loading = <T,>({
  of: { value, error, isLoading, reload },
  waiting,
  children,
}: {
  readonly of: Loaded<T>
  /** Takes the room of the value until the first answer. By default some grey lines. */
  readonly waiting?: ComponentChildren
  readonly children: (value: T) => ComponentChildren
}) => (
  <>
    <ProblemBox
      error={value !== undefined && error instanceof UnreachableError ? undefined : error}
      retry={isLoading ? undefined : reload}
    />
    {value === undefined && isLoading && (waiting ?? <Skeleton />)}
    {value !== undefined && children(value)}
  </>
)
