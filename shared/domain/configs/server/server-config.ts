import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { OauthConfig } from '../../auth/oauth/oauth-config.ts'
import { providerNames } from '../../auth/providers.ts'

const count = (value: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: value, minimum, maximum, description })

const section = <T extends Parameters<typeof Type.Object>[0]>(properties: T, description: string) =>
  ClosedObject(properties, { default: {}, description })

/** `server.yaml`: every key is optional there; parsed, every key is present. */
export const ServerConfig = ClosedObject({
  auth: section(
    {
      provider: Type.Union(
        providerNames.map((name) => Type.Literal(name)),
        {
          default: 'local',
          description: 'Who vouches for players: `local` is email and password, `oauth` an identity provider.',
        },
      ),
      local: section(
        {
          requirePassword: Type.Boolean({
            default: false,
            description: 'Off: any email signs in, unverified. On: only an account whose password matches.',
          }),
          registration: Type.Union([Type.Literal('off'), Type.Literal('invite'), Type.Literal('open')], {
            default: 'off',
            description:
              'Who may make an account with a password of their own: nobody, who was invited, or everybody. While `requirePassword` is off, any email signs in without one besides.',
          }),
          bcryptCost: count(12, 10, 14, 'Work factor of new password hashes; one more doubles the time.'),
        },
        'Email and password.',
      ),
      oauth: OauthConfig,
    },
    'Sign-in.',
  ),
  http: section(
    {
      allowedOrigins: Type.Array(Type.String(), {
        default: [],
        description:
          'Origins besides our own whose pages may call: `https://admin.example.org`. While the server listens on loopback, is known by no other address and has no proxy in front, pages of any loopback origin may call too.',
      }),
      hosts: Type.Array(Type.String({ pattern: '^(?:[A-Za-z0-9.-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}\\])$' }), {
        default: [],
        maxItems: 100,
        examples: [['game.example.org']],
        description:
          'Host names that requests may be for, besides loopback and `BASE_URL`; others are answered 421. Empty: on loopback no other name, elsewhere every name.',
      }),
      securityContact: Type.Optional(
        Type.String({
          pattern: '^(?:mailto:|https://)[!-~]{1,500}$',
          examples: ['mailto:security@example.org'],
          description:
            'Whom `/.well-known/security.txt` names for reports of vulnerabilities. Without it: the mailbox `security@` of the domain of `BASE_URL`, and no file (404) where `BASE_URL` is loopback or an IP address.',
        }),
      ),
      trustedProxies: count(0, 0, 10, 'How many hops of `X-Forwarded-For`, from the right, are proxies of ours.'),
      rateLimits: section(
        {
          signInPerMinutePerAccount: count(10, 1, 1_000_000, 'Sign-ins a minute for each pair of address and email.'),
          signInPerMinutePerAddress: count(100, 1, 1_000_000, 'Sign-ins a minute for each address.'),
          requestsPerMinutePerAddress: count(
            1200,
            1,
            1_000_000,
            'Requests a minute without a credential for each address (IPv6: for each /64); health checks do not count, sign-ins do.',
          ),
          requestsPerMinutePerToken: count(600, 1, 1_000_000, 'Requests a minute for each token and those renewed from it.'),
        },
        'Limits, counted in all processes together.',
      ),
    },
    'HTTP.',
  ),
  realtime: section(
    {
      admission: Type.Union([Type.Literal('everyone'), Type.Literal('permission')], {
        default: 'everyone',
        description: 'Who may play: `everyone` who signs in, or only who holds `game.join` (`permission`).',
      }),
      motd: Type.String({
        default: '',
        maxLength: 1000,
        pattern: '^[\\P{Cc}\\n]*$',
        description: 'What everybody is told who comes in; nothing when empty.',
      }),
      tickRate: count(20, 1, 60, 'Ticks a second. Needs a restart.'),
      maxSessions: count(2000, 1, 60_000, 'Players on one node.'),
      viewRadius: count(8, 1, 16, 'Chunks around a player that they see, at the most.'),
      connectTimeoutMs: count(5000, 100, 60_000, 'Time for the first message of a connection, in milliseconds.'),
      waitingPerAddress: count(
        20,
        1,
        60_000,
        'Connections of one address (IPv6: of one /64) that may wait without having sent Connect; behind proxies set `http.trustedProxies`.',
      ),
      resumeSeconds: count(60, 0, 3600, 'How long a lost connection may be resumed, in seconds.'),
      maxMessageBytes: count(65_536, 8192, 1_048_576, 'Largest message of a client, in bytes.'),
      messagesPerSecond: count(60, 1, 10_000, 'Messages a second of one client; edits and commands cost more than one.'),
      messageBurst: count(120, 1, 20_000, 'Messages that one client may send at once.'),
      chatBytesPerSecond: count(
        320_000,
        1_000,
        67_108_864,
        'Chat that each client is sent in a second, in bytes; at once, a fifth of it. A line beyond is answered `busy`.',
      ),
      chatBytesPerTick: count(
        8_388_608,
        65_536,
        1_073_741_824,
        'Chat that a node sends to all its clients together in one tick, in bytes.',
      ),
      outgoingBufferBytes: count(
        1_048_576,
        65_536,
        67_108_864,
        'Bytes that may wait for a client that reads slowly; above, it is closed.',
      ),
    },
    'The real-time node.',
  ),
  history: section(
    {
      enabled: Type.Boolean({ default: true, description: 'Whether it is kept who changed which block.' }),
      days: count(30, 1, 3650, 'How long changes of blocks are kept, in days.'),
      maxMiB: count(1024, 1, 1_048_576, 'Above this the oldest changes of a world go.'),
    },
    'The history of blocks.',
  ),
  audit: section(
    {
      days: count(365, 1, 3650, 'How long audit entries are kept, in days.'),
      maxMiB: count(
        256,
        1,
        1_048_576,
        'Above this the oldest audit entries go, those of unproven people first, but none younger than an hour. Unproven people have at most a quarter. Each entry counts four times, as it is stored.',
      ),
    },
    'The audit log.',
  ),
  backups: section(
    {
      every: Type.Optional(
        Type.String({
          pattern: '^\\d{1,10}[smhdw]$',
          examples: ['6h', '1d'],
          description: 'How often a backup is made by itself: `6h`, `1d`; without it never.',
        }),
      ),
      keep: section(
        {
          last: count(8, 1, 1000, 'The newest that are kept.'),
          daily: count(7, 0, 1000, 'Days of which the newest is kept besides.'),
          weekly: count(4, 0, 1000, 'Weeks of which the newest is kept besides.'),
        },
        'Which backups stay when another is made.',
      ),
    },
    'Backups of the data folder; with `STORAGE=dynamodb` there are none of ours.',
  ),
})
export type ServerConfig = Static<typeof ServerConfig>

/**
 * What a change of a key needs besides `admin.configs.write`, by the beginning of its pointer; `*` is every permission. These keys reach what
 * their writer might not do otherwise: delete records, evade a ban, let people in.
 */
export const changePermissions: ReadonlyMap<string, string> = new Map([
  ['/auth/provider', '*'],
  ['/auth/oauth', '*'],
  ['/auth/local', 'admin.users.write'],
  ['/http/allowedOrigins', '*'],
  ['/http/hosts', '*'],
  ['/http/trustedProxies', '*'],
  ['/http/rateLimits', 'admin.users.write'],
  ['/realtime/admission', 'admin.users.write'],
  ['/history', 'admin.history.write'],
  ['/audit', '*'],
  ['/backups', 'admin.backups.write'],
])

/** The permission that a change at a pointer needs besides `admin.configs.write`; undefined for none. */
export const findChangePermission = (pointer: string): string | undefined => {
  for (const [beginning, permission] of changePermissions)
    if (pointer === beginning || pointer.startsWith(`${beginning}/`)) return permission
  return undefined
}
