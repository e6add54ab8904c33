/** An LMDB environment and the target of its copy. */
export type Copied = { readonly from: string; readonly to: string }

/** The message to the process that copies or verifies. */
export type CopyOrder =
  | { readonly kind: 'copy'; readonly environments: readonly Copied[] }
  | { readonly kind: 'verify'; readonly folder: string }

/** Its messages in this order: `ready`, for a copy `taken` at the moment of the copy, then `done` or `failed`. */
export type CopyAnswer =
  | { readonly kind: 'ready' }
  | { readonly kind: 'taken' }
  | { readonly kind: 'told'; readonly columns: number }
  | { readonly kind: 'done'; readonly records: number; readonly columns: number }
  /** `damage`: the backup is damaged; otherwise the copy failed. */
  | { readonly kind: 'failed'; readonly reason: string; readonly code?: string; readonly damage?: true }
