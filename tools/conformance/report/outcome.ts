/** The result of one check. */
export type Outcome = { readonly feature: string; readonly name: string } & (
  | { readonly result: 'passed' }
  | { readonly result: 'failed'; readonly expected: string; readonly got: string }
  | { readonly result: 'skipped'; readonly reason: string }
)
