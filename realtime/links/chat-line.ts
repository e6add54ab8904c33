/** What somebody said, and where. */
export type ChatLine = {
  readonly channel: string
  readonly from: string
  readonly text: string
  /** PlayerId of who said it, which clients are not told; absent where that is not known. */
  readonly by?: string
}
