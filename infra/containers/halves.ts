/** What an image runs: the program and the tasks that belong beside it. */
export type Half = {
  /** Entry points of the project; each becomes a file of its own name. */
  readonly entries: readonly string[]
  /** Whether the pages for browsers belong to it. */
  readonly servesPages: boolean
}

/**
 * Defaults of `server.yaml` in every image, by their places in the project and beside the program: the one that counts, and the one that
 * `SERVER_DEFAULTS` names behind the proxies of AWS.
 */
export const imageServerDefaults: readonly { readonly from: string; readonly to: string }[] = [
  { from: 'infra/containers/server.yaml', to: 'resources/config/server.yaml' },
  { from: 'infra/cloud/server.yaml', to: 'resources/aws/server.yaml' },
]

const halves: ReadonlyMap<string, Half> = new Map([
  [
    'http',
    {
      entries: ['infra/http.ts', 'tools/tables.ts', 'tools/adduser.ts', 'tools/oauth.ts', 'tools/migrate.ts', 'tools/backup.ts'],
      servesPages: true,
    },
  ],
  ['realtime', { entries: ['realtime/main.ts', 'tools/world.ts'], servesPages: false }],
])

/** The names of the halves, in the order of their Dockerfiles' making. */
export const halfNames: readonly string[] = [...halves.keys()]

/** The half of that name, or undefined. */
export const findHalf = (name: string): Half | undefined => halves.get(name)
