import type { ComponentChildren } from 'preact'
import type { Loaded } from '../state/load.ts'
import { words } from '../words/of-frame.ts'
import { ProblemBox } from './problem-box.tsx'

/** Renders the loaded value. On an error, shows it beside the previous value. */
export const Loading = <T,>({
  of: { value, error, isLoading, reload },
  children,
}: {
  readonly of: Loaded<T>
  readonly children: (value: T) => ComponentChildren
}) => (
  <>
    <ProblemBox error={error} retry={isLoading ? undefined : reload} />
    {value === undefined && isLoading && (
      <div class="skeleton" role="status">
        <span class="sr-only">{words.loading}</span>
      </div>
    )}
    {value !== undefined && children(value)}
  </>
)
