import { type Static, Type } from '@sinclair/typebox'
import { ClosedObject } from '../../../kernel/closed-object.ts'
import { OauthConfig } from '../../auth/oauth/oauth-config.ts'
import { providerNames } from '../../auth/providers.ts'

/** A title is the label in the form of the console. */
const count = (title: string, value: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ title, default: value, minimum, maximum, description })

const section = <T extends Parameters<typeof Type.Object>[0]>(title: string, properties: T, description: string) =>
  ClosedObject(properties, { title, default: {}, description })

/** `server.yaml`: every key is optional in the file and present in the parsed value. */
export const ServerConfig = ClosedObject({
  server: section(
    'Server',
    {
      name: Type.Optional(
        Type.String({
          title: 'Name of the server',
          pattern: '^[^\\s\\x00-\\x1f\\x7f](?:[^\\x00-\\x1f\\x7f]{0,38}[^\\s\\x00-\\x1f\\x7f])?$',
          examples: ['Oak Harbour', 'Friends of Ada'],
          description:
            'Shown on top of the console and in the title of its windows, before the sign-in too. Without it: Gatehouse.',
        }),
      ),
    },
    'What people see of this server.',
  ),
  auth: section(
    'Sign-in',
    {
      provider: Type.Union(
        providerNames.map((name) => Type.Literal(name)),
        {
          title: 'Sign-in method',
          default: 'local',
          description: 'How players prove their identity: `local` with email and password, `oauth` through an identity provider.',
        },
      ),
      local: section(
        'Email and password',
        {
          requirePassword: Type.Boolean({
            title: 'Require a password',
            default: false,
            description: 'Off: any email signs in, unverified. On: only accounts with a matching password sign in.',
          }),
          registration: Type.Union([Type.Literal('off'), Type.Literal('invite'), Type.Literal('open')], {
            title: 'Registration',
            default: 'off',
            description:
              'Registration with a password: for no one, with an invitation, or for everyone. While `requirePassword` is off, any email can also sign in without one.',
          }),
          bcryptCost: count('Password hash cost', 12, 10, 14, 'Work factor of new password hashes; each step doubles the time.'),
        },
        'Email and password.',
      ),
      oauth: OauthConfig,
    },
    'Sign-in.',
  ),
  http: section(
    'Network',
    {
      allowedOrigins: Type.Array(Type.String(), {
        title: 'Allowed origins',
        default: [],
        description:
          'Other origins whose pages may call, such as `https://admin.example.org`. While the server is for this machine only (loopback, no other address, no proxy), pages of any loopback origin may call too.',
      }),
      hosts: Type.Array(Type.String({ pattern: '^(?:[A-Za-z0-9.-]{1,253}|\\[[0-9A-Fa-f:.]{2,45}\\])$' }), {
        title: 'Host names',
        default: [],
        maxItems: 100,
        examples: [['game.example.org'], ['play.example.org']],
        description:
          'Host names that requests may use, besides loopback and `BASE_URL`; others get 421. Empty: no other name if the server listens on loopback, otherwise every name.',
      }),
      securityContact: Type.Optional(
        Type.String({
          title: 'Security contact',
          pattern: '^(?:mailto:|https://)[!-~]{1,500}$',
          examples: ['mailto:security@example.org', 'https://example.org/security'],
          description:
            'The contact for vulnerability reports in `/.well-known/security.txt`. Default: `security@` at the domain of `BASE_URL`, or no file (404) if `BASE_URL` is loopback or an IP address.',
        }),
      ),
      trustedProxies: count(
        'Trusted proxies',
        0,
        0,
        10,
        'How many hops of `X-Forwarded-For`, from the right, are your own proxies.',
      ),
      rateLimits: section(
        'Rate limits',
        {
          signInPerMinutePerAccount: count(
            'Sign-ins per minute and account',
            10,
            1,
            1_000_000,
            'Sign-ins per minute for each pair of address and email.',
          ),
          signInPerMinutePerAddress: count(
            'Sign-ins per minute and address',
            100,
            1,
            1_000_000,
            'Sign-ins per minute for each address.',
          ),
          requestsPerMinutePerAddress: count(
            'Requests per minute and address',
            1200,
            1,
            1_000_000,
            'Requests per minute without a credential for each address (IPv6: each /64). Sign-ins count, health checks do not.',
          ),
          requestsPerMinutePerToken: count(
            'Requests per minute and token',
            600,
            1,
            1_000_000,
            'Requests per minute for each token, including tokens renewed from it.',
          ),
        },
        'Limits across all processes.',
      ),
    },
    'HTTP.',
  ),
  realtime: section(
    'Game',
    {
      admission: Type.Union([Type.Literal('everyone'), Type.Literal('permission')], {
        title: 'Admission',
        default: 'everyone',
        description: 'Admission to the game: `everyone` with a sign-in, or only players with `game.join` (`permission`).',
      }),
      motd: Type.String({
        title: 'Welcome message',
        default: '',
        maxLength: 1000,
        pattern: '^[\\P{Cc}\\n]*$',
        description: 'A message for players who join; none if empty.',
      }),
      tickRate: count('Ticks per second', 20, 1, 60, 'Ticks per second. Needs a restart.'),
      maxSessions: count('Players per node', 2000, 1, 60_000, 'Maximum number of players on one node.'),
      viewRadius: count('View distance', 8, 1, 16, 'Maximum view distance of players, in chunks.'),
      connectTimeoutMs: count(
        'Connect timeout in milliseconds',
        5000,
        100,
        60_000,
        'Time for the first message of a connection, in milliseconds.',
      ),
      waitingPerAddress: count(
        'Waiting connections per address',
        20,
        1,
        60_000,
        'Maximum number of connections of one address (IPv6: one /64) that have not sent Connect yet. Behind proxies set `http.trustedProxies`.',
      ),
      resumeSeconds: count('Resume time in seconds', 60, 0, 3600, 'How long a lost connection may be resumed, in seconds.'),
      maxMessageBytes: count('Largest message in bytes', 65_536, 8192, 1_048_576, 'Largest message of a client, in bytes.'),
      messagesPerSecond: count(
        'Messages per second',
        60,
        1,
        10_000,
        'Messages per second of one client; edits and commands cost more than one.',
      ),
      messageBurst: count('Message burst', 120, 1, 20_000, 'Messages that one client may send at once.'),
      chatBytesPerSecond: count(
        'Chat per client and second in bytes',
        320_000,
        1_000,
        67_108_864,
        'Chat to each client per second in bytes, with bursts of up to a fifth of it. Further lines are answered `busy`.',
      ),
      chatBytesPerTick: count(
        'Chat per tick in bytes',
        8_388_608,
        65_536,
        1_073_741_824,
        'Chat from a node to all its clients together in one tick, in bytes.',
      ),
      outgoingBufferBytes: count(
        'Outgoing buffer in bytes',
        1_048_576,
        65_536,
        67_108_864,
        'Bytes that may wait for a slow client; above that, its connection is closed.',
      ),
    },
    'The real-time node.',
  ),
  history: section(
    'Block history',
    {
      enabled: Type.Boolean({
        title: 'Record block changes',
        default: true,
        description: 'Whether the server records block changes with their players.',
      }),
      days: count('Days kept', 30, 1, 3650, 'Days after which block changes are deleted.'),
      maxMiB: count('Largest size in MiB', 1024, 1, 1_048_576, 'Above this size, the oldest changes of a world are deleted.'),
    },
    'The history of blocks.',
  ),
  audit: section(
    'Audit log',
    {
      days: count('Days kept', 365, 1, 3650, 'How many days audit entries are kept.'),
      maxMiB: count(
        'Largest size in MiB',
        256,
        1,
        1_048_576,
        'Above this size, the oldest audit entries are deleted, unproven ones first, but none younger than an hour. Unproven entries take up at most a quarter. Each entry counts four times, as it is stored.',
      ),
    },
    'The audit log.',
  ),
  chat: section(
    'Chat log',
    {
      keepDays: count(
        'Days kept',
        7,
        0,
        30,
        'How many days lines of public chat are kept for moderators. 0 stores none and deletes the stored ones. Private messages are never stored.',
      ),
      maxMiB: count('Largest size in MiB', 64, 1, 65_536, 'Above this size, the oldest hours of chat are deleted.'),
    },
    'The chat log for moderators.',
  ),
  backups: section(
    'Backups',
    {
      every: Type.Optional(
        Type.String({
          title: 'Make a backup every',
          pattern: '^\\d{1,10}[smhdw]$',
          examples: ['6h', '1d'],
          description: 'How often the server makes a backup, such as `6h` or `1d`; never if absent.',
        }),
      ),
      keep: section(
        'Retention',
        {
          last: count('Newest backups', 8, 1, 1000, 'How many of the newest backups are kept.'),
          daily: count('Daily backups', 7, 0, 1000, 'Number of days for which the newest backup is kept too.'),
          weekly: count('Weekly backups', 4, 0, 1000, 'Number of weeks for which the newest backup is kept too.'),
        },
        'Which backups stay after a new one.',
      ),
    },
    'Backups of the data folder; not used with `STORAGE=dynamodb`.',
  ),
})
export type ServerConfig = Static<typeof ServerConfig>

/**
 * The permission for a change of a key besides `admin.configs.write`, by the beginning of its pointer; `*` means every permission. These keys
 * could give a writer more than their permissions: delete records, evade a ban, let people in.
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
  ['/chat', 'admin.sanctions.write'],
  ['/backups', 'admin.backups.write'],
])

/** The permission for a change at a pointer besides `admin.configs.write`; undefined if none. */
export const findChangePermission = (pointer: string): string | undefined => {
  for (const [beginning, permission] of changePermissions)
    if (pointer === beginning || pointer.startsWith(`${beginning}/`)) return permission
  return undefined
}
