/** The content of an image: the program and its tasks. */
export type Half = {
  /** Entry points of the project; each becomes a file with its own name. */
  readonly entries: readonly string[]
  /** Whether it serves the pages for browsers. */
  readonly servesPages: boolean
  /** Whether it runs modules. Its image then has those of `data/modules` as bundles. */
  readonly runsModules: boolean
}

/**
 * The defaults of `server.yaml` in every image, by their paths in the project and next to the program: the usual one, and the
 * one for `SERVER_DEFAULTS` behind the proxies of AWS.
 */
export const imageServerDefaults: readonly { readonly from: string; readonly to: string }[] = [
  { from: 'infra/containers/server.yaml', to: 'resources/config/server.yaml' },
  { from: 'infra/cloud/server.yaml', to: 'resources/aws/server.yaml' },
]

const halves: ReadonlyMap<string, Half> = new Map([
  [
    'http',
    {
      entries: [
        'infra/http.ts',
        'tools/tables.ts',
        'tools/adduser.ts',
        'tools/token.ts',
        'tools/oauth.ts',
        'tools/migrate.ts',
        'tools/backup.ts',
      ],
      servesPages: true,
      runsModules: false,
    },
  ],
  ['realtime', { entries: ['realtime/main.ts', 'tools/world.ts'], servesPages: false, runsModules: true }],
])

/** The names of the halves. */
export const halfNames: readonly string[] = [...halves.keys()]

/** The half with this name, or undefined. */
export const findHalf = (name: string): Half | undefined => halves.get(name)
