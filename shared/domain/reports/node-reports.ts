/** What nodes tell of themselves: who is connected, how they were lately and which tiles changed; and for how many milliseconds it counts. */
export const reportKinds = { players: 10_000, metrics: 20_000, tiles: 20_000 } as const
export type ReportKind = keyof typeof reportKinds

export type NodeReport = { readonly nodeId: string; readonly text: string }

/** The last word of each node, for whoever asks in any process. A node that says nothing is forgotten by itself. All throw AppError `unavailable`. */
export type NodeReports = {
  /** Takes the place of what the node told before. */
  tell(kind: ReportKind, nodeId: string, text: string): Promise<void>
  /** The node is gone, with all that it told. */
  withdraw(kind: ReportKind, nodeId: string): Promise<void>
  /** By node id; costs one read. */
  list(kind: ReportKind): Promise<readonly NodeReport[]>
}

export const reportsInOrder = (reports: readonly NodeReport[]): readonly NodeReport[] =>
  reports.toSorted((one, other) => (one.nodeId < other.nodeId ? -1 : 1))
