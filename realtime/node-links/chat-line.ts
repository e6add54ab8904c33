/** A chat line and its channel. */
export type ChatLine = {
  readonly channel: string
  readonly from: string
  readonly text: string
  /** The playerId of the author. Absent if it is unknown. */
  readonly by?: string
}
