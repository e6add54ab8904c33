/** The kinds of reports of nodes: players, metrics of ten minutes, those of a day, tiles, modules. With their time to live in ms. */
export const reportKinds = { players: 10_000, metrics: 20_000, day: 300_000, tiles: 20_000, modules: 10_000 } as const
export type ReportKind = keyof typeof reportKinds

export type NodeReport = { readonly nodeId: string; readonly text: string }

/** The last report of each node, for any process. Reports of a silent node expire. All methods throw AppError `unavailable`. */
export type NodeReports = {
  /** Replaces the previous report of the node. */
  tell(kind: ReportKind, nodeId: string, text: string): Promise<void>
  /** Removes the node's report. */
  withdraw(kind: ReportKind, nodeId: string): Promise<void>
  /** Sorted by node id. Costs one read. */
  list(kind: ReportKind): Promise<readonly NodeReport[]>
}

export const reportsInOrder = (reports: readonly NodeReport[]): readonly NodeReport[] =>
  reports.toSorted((one, other) => (one.nodeId < other.nodeId ? -1 : 1))
