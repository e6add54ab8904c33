import { providerProblems } from './provider-problems.ts'

/** All problem slugs, with a title and advice for the caller. `docs/errors.md` and OpenAPI are made from them. */
export const problems = {
  ...providerProblems,
  'bad-request': {
    title: 'Bad request',
    help: 'The request cannot be parsed or does not match the schema. `errors` lists each fault.',
  },
  'not-signed-in': {
    title: 'Not signed in',
    help: 'Send `Authorization: Bearer <token>` with a token from a sign-in.',
  },
  'invalid-token': {
    title: 'Invalid token',
    help: 'The token is malformed, expired or revoked. Sign in again.',
  },
  'invalid-credentials': {
    title: 'Invalid credentials',
    help: 'Email and password do not match an account that can sign in.',
  },
  'wrong-password': {
    title: 'Wrong password',
    help: 'The current password is wrong. The token stays valid.',
  },
  'no-password': {
    title: 'No password',
    help: 'The account has no password yet. An administrator can set the first one.',
  },
  'sign-in-expired': {
    title: 'Sign-in expired',
    help: 'Twelve hours have passed since the sign-in. Sign in again.',
  },
  'invalid-claim': {
    title: 'Invalid claim',
    help: 'The claim is wrong, used or expired. Restart the server: it prints a new link in its terminal.',
  },
  'already-claimed': {
    title: 'Already claimed',
    help: 'The server already has an administrator. Ask them for access.',
  },
  muted: {
    title: 'Muted',
    help: 'You are muted, so you cannot send texts that others see. `detail` says why and until when.',
  },
  'registration-closed': {
    title: 'Registration closed',
    help: 'You cannot register on this server. Ask an administrator for an account.',
  },
  'invalid-invitation': {
    title: 'Invalid invitation',
    help: 'The invitation is wrong, used or expired. Ask for a new one.',
  },
  'invalid-reset-link': {
    title: 'Invalid reset link',
    help: 'The link is wrong, used or expired, or the password was changed since the link was created. Ask an administrator for a new one.',
  },
  'display-name-taken': {
    title: 'Display name taken',
    help: 'Another account has that name or a similar one, or the name is reserved. Choose another name.',
  },
  'common-password': {
    title: 'Common password',
    help: 'The password is one of the 10,000 most common, and the account has or would get an `admin.` permission. Choose another password.',
  },
  'missing-permission': {
    title: 'Missing permission',
    help: '`detail` names the permission. An administrator can grant it through a group.',
  },
  'password-sign-in-needed': {
    title: 'Password sign-in needed',
    help: 'Privileged actions need a verified sign-in, with a password or an identity provider. If `detail` says that the password is one of the 10,000 most common, set another one with `POST /auth/password`.',
  },
  'origin-not-allowed': {
    title: 'Origin not allowed',
    help: 'Pages of that origin may not connect. An operator can allow it in `http.allowedOrigins` of `server.yaml`.',
  },
  'beyond-own-permissions': {
    title: 'Beyond own permissions',
    help: 'You cannot grant, take or change anything with a permission that you lack.',
  },
  'account-banned': {
    title: 'Banned',
    help: 'The account or the address is banned. `reason` says why. `until` is the end; without it, the ban is permanent.',
  },
  'not-oneself': {
    title: 'Not oneself',
    help: 'You cannot sanction yourself or end your own sanction. Ask another administrator.',
  },
  'changed-since': {
    title: 'Changed since',
    help: 'A field of that write has changed since then. `changed` lists each field with the time and author of its change. `before` and `after` are from the write, and `current` is the current value. For a config, `revision` is the text before the write. Change the value by hand.',
  },
  'not-undoable': {
    title: 'Not undoable',
    help: '`detail` says why this write cannot be undone.',
  },
  'last-administrator': {
    title: 'Last administrator',
    help: 'Make another account an administrator first.',
  },
  'managed-elsewhere': {
    title: 'Managed elsewhere',
    help: 'This is not available with `STORAGE=dynamodb`. Tables have their own backups, and worlds are moved on the command line. `detail` says how.',
  },
  'damaged-backup': {
    title: 'Damaged backup',
    help: 'A record of the backup cannot be read. `detail` says which. Create another backup.',
  },
  'too-many-jobs': {
    title: 'Too many jobs',
    help: 'The maximum number of jobs is waiting for that world or the data folder. Wait for one to finish, or cancel one.',
  },
  'too-many-snapshots': {
    title: 'Too many snapshots',
    help: 'The zone has the maximum number of snapshots. Delete one first.',
  },
  'not-found': {
    title: 'Not found',
    help: 'There is nothing at that address or with that name.',
  },
  'method-not-allowed': {
    title: 'Method not allowed',
    help: 'The `Allow` header lists the methods of this address.',
  },
  'misdirected-request': {
    title: 'Misdirected request',
    help: 'The server does not answer to the host name of the request. Use the address that it printed at its start, or ask an operator to add the name to `http.hosts` in `server.yaml`.',
  },
  'upgrade-required': {
    title: 'Upgrade required',
    help: 'This address only accepts WebSocket connections. Open it with a WebSocket client.',
  },
  'answer-too-large': {
    title: 'Answer too large',
    help: 'The response is too large for this server. Request a part of it, or use a server that streams.',
  },
  'record-too-large': {
    title: 'Record too large',
    help: 'The data is too large for one record. Make it smaller.',
  },
  'unsupported-media-type': {
    title: 'Unsupported media type',
    help: 'Send the body in a media type that the address accepts (`application/json` unless documented otherwise), in UTF-8 and without a content encoding.',
  },
  'body-too-large': {
    title: 'Body too large',
    help: 'Send a smaller body. The API description has the limit of each route.',
  },
  'head-too-large': {
    title: 'Head too large',
    help: 'Send fewer or shorter headers, or a shorter address. The limit for all of them is 16 KiB.',
  },
  'request-timeout': {
    title: 'Request timeout',
    help: 'A request must send its headers within 10 seconds and everything within 30. Send it again, faster.',
  },
  'already-exists': {
    title: 'Already exists',
    help: 'Choose another name, or change the existing one.',
  },
  conflict: {
    title: 'Conflict',
    help: 'It was changed by another request at the same time. Read it again and repeat.',
  },
  stale: {
    title: 'Stale version',
    help: 'It was changed since you read it. Read it again and repeat with its new `ETag`.',
  },
  'unknown-group': {
    title: 'Unknown group',
    help: '`errors` names each unknown group. `GET /api/admin/groups` lists the existing ones.',
  },
  'unknown-permission': {
    title: 'Unknown permission',
    help: 'No route, command, game rule or loaded module uses this permission, so granting it would have no effect. `detail` names the most similar known permission. docs/permissions.md lists all.',
  },
  'rule-broken': {
    title: 'Rule broken',
    help: 'Each value has the right form, but together they break a rule. `errors` says which one.',
  },
  'invalid-config': {
    title: 'Invalid config',
    help: '`errors` lists each fault with its line and column.',
  },
  'world-unusable': {
    title: 'World unusable',
    help: '`detail` describes the fault in the files of the world. `npm run world -- check NAME` reports more. An operator can fix it.',
  },
  'world-held': {
    title: 'World held',
    help: 'A node runs this world, or `GAME_WORLD_NAME` selects it. `detail` says which. Stop that node first, or wait until it has stopped.',
  },
  'lease-lost': {
    title: 'Lease lost',
    help: 'Another node has taken over this world. Nothing was written.',
  },
  'storage-full': {
    title: 'Storage full',
    help: 'The server’s storage is full. Nothing was written. Writing works again when there is space.',
  },
  'chunks-not-generated': {
    title: 'Chunks not generated',
    help: '`errors` lists each column that is not generated yet. Walk there, or run `npm run world -- pregen`.',
  },
  'zone-overlap': {
    title: 'Zone overlap',
    help: '`detail` names the other zone. Choose other chunks or heights, or change that zone first.',
  },
  'too-many-requests': {
    title: 'Too many requests',
    help: 'Wait for the time in `Retry-After`.',
  },
  'hashing-busy': {
    title: 'Sign-in busy',
    help: 'Too many passwords are being checked. Try again after `Retry-After`.',
  },
  'accounts-unreadable': {
    title: 'Accounts unreadable',
    help: '`users.yaml` cannot be parsed. An operator must fix it. Until then it is not overwritten.',
  },
  'service-unavailable': {
    title: 'Service unavailable',
    help: 'A required service does not answer. Try again after `Retry-After`.',
  },
  'internal-error': {
    title: 'Internal error',
    help: 'A fault of the server. Its log has the cause under the request id.',
  },
} as const satisfies Record<string, { title: string; help: string }>

/** The stable last part of a problem's `type`. */
export type ProblemSlug = keyof typeof problems
