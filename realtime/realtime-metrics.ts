/** Messages and bytes of all connections since the last tick. */
export type Traffic = { messagesIn: number; bytesIn: number; framesOut: number; bytesOut: number }

/** What the real-time node counts. */
export type RealtimeMetrics = {
  /** A tick that took so long and began so long after the one before, and the traffic up to its end. */
  observeTick(seconds: number, sincePreviousSeconds: number, traffic: Readonly<Traffic>): void
  setSessions(connected: number, detached: number): void
  /** Columns in memory, on their way there, and found damaged since the start. */
  setColumns(loaded: number, loading: number, damaged: number): void
  /** A connection was closed by the server. */
  countClosing(code: string): void
}

export const createTraffic = (): Traffic => ({ messagesIn: 0, bytesIn: 0, framesOut: 0, bytesOut: 0 })

/** Counts nothing. */
export const noRealtimeMetrics: RealtimeMetrics = {
  observeTick: () => {},
  setSessions: () => {},
  setColumns: () => {},
  countClosing: () => {},
}
