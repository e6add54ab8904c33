/** A collection of the Store that is moved record by record. */
export type LastingCollection = {
  readonly name: string
  /** The name of its records in the report. */
  readonly what: string
  /** Which records the count includes; all when absent. */
  readonly counts?: (id: string) => boolean
}

/** The durable collections. Accounts and config texts are moved by content instead, because the data folder has files of them. */
export const lastingCollections: readonly LastingCollection[] = [
  { name: 'zones', what: 'zones' },
  { name: 'zone-guards', what: 'zone guards' },
  { name: 'zone-snapshots', what: 'snapshots of zones' },
  { name: 'zone-snapshot-parts', what: 'parts of snapshots' },
  { name: 'zone-resets', what: 'next resets of zones' },
  // Each is stored under all sanctions, again for its account, and again while it is active.
  { name: 'sanctions', what: 'sanctions', counts: (id) => id.startsWith('all/') },
  { name: 'sanction-changes', what: 'counts of changed sanctions' },
  { name: 'reports', what: 'reports', counts: (id) => id.startsWith('all/') },
  { name: 'deleted-accounts', what: 'deleted accounts' },
  { name: 'departed-players', what: 'players without an account' },
  { name: 'invitations', what: 'invitations' },
  { name: 'reset-links', what: 'reset links' },
  { name: 'api-tokens', what: 'API tokens' },
  { name: 'api-token-owners', what: 'owners of API tokens' },
  { name: 'sign-ins', what: 'last sign-ins' },
  { name: 'failed-sign-ins', what: 'failed sign-ins' },
  { name: 'player-states', what: 'player states' },
  { name: 'player-ignores', what: 'ignored players' },
  { name: 'player-places', what: 'player places' },
  // Each entry is stored four times, for its filters.
  { name: 'audit', what: 'audit entries', counts: (id) => id.startsWith('all/') },
  { name: 'audit-groups', what: 'newest grouped audit entries' },
  { name: 'audit-tallies', what: 'sizes of the audit log' },
  { name: 'module-records', what: 'records of modules' },
  { name: 'module-players', what: 'data of players of modules' },
  { name: 'module-states', what: 'states of modules' },
  { name: 'module-set-aside', what: 'values of modules that were set aside' },
  { name: 'jobs', what: 'jobs' },
  { name: 'open-jobs', what: 'unfinished jobs' },
  { name: 'world-names', what: 'world names' },
  { name: 'worlds', what: 'worlds' },
]

/** The collections of config revisions. The active text is the newest of them in DynamoDB, and a file in the data folder. */
export const revisionCollections = ['config-revision-texts', 'config-revisions'] as const
