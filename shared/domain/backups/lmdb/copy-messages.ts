/** An LMDB environment, and where its copy goes. */
export type Copied = { readonly from: string; readonly to: string }

/** What the process that copies or reads back is told. */
export type CopyOrder =
  | { readonly kind: 'copy'; readonly environments: readonly Copied[] }
  | { readonly kind: 'verify'; readonly folder: string }

/** What it answers, in this order: `ready`, then of a copy `taken` at the one moment, then `done` or `failed`. */
export type CopyAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'told'; readonly columns: number }
  | { readonly kind: 'done'; readonly records: number; readonly columns: number }
  /** `damage`: what is wrong with the backup; else the copy could not be made. */
  | { readonly kind: 'failed'; readonly reason: string; readonly code?: string; readonly damage?: true }
