import { providerProblems } from './provider-problems.ts'

/** Every problem slug, with its title and what a caller can do about it. `docs/errors.md` and OpenAPI are made from it. */
export const problems = {
  ...providerProblems,
  'bad-request': {
    title: 'Bad request',
    help: 'The request cannot be parsed, or does not match the schema. `errors` lists each fault. Correct it and send it again.',
  },
  'module-not-loaded': {
    title: 'Module not loaded',
    help: 'The module has errors or does not exist. `errors` lists file, line and column. Correct it and reload it. The previous version keeps running.',
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
    help: 'Email and password do not match an account that can sign in. Check both, or ask an administrator for a reset link.',
  },
  'wrong-password': {
    title: 'Wrong password',
    help: 'The current password is wrong. The token stays valid. Try again.',
  },
  'no-password': {
    title: 'No password',
    help: 'The account has no password to confirm this change. Ask an administrator to set the first one.',
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
    help: 'You are muted, and this text would be shown to others. `detail` says why, and until when.',
  },
  'registration-closed': {
    title: 'Registration closed',
    help: 'This server does not let people register. Ask an administrator for an account.',
  },
  'invalid-invitation': {
    title: 'Invalid invitation',
    help: 'The invitation is wrong, used or expired. Ask for another one.',
  },
  'invalid-reset-link': {
    title: 'Invalid reset link',
    help: 'The link is wrong, used or expired, or the password has changed since. Ask an administrator for another one.',
  },
  'display-name-taken': {
    title: 'Display name taken',
    help: 'Another account has this name or one that looks like it, or the name is reserved. Choose another.',
  },
  'common-password': {
    title: 'Common password',
    help: 'The password is one of the 10,000 most common, and the account has an `admin.` permission or would get one. Choose another.',
  },
  'missing-permission': {
    title: 'Missing permission',
    help: '`detail` names the permission. Ask an administrator to grant it.',
  },
  'password-sign-in-needed': {
    title: 'Password sign-in needed',
    help: 'Privileged actions need a verified sign-in, with a password or through an identity provider. If the password is one of the 10,000 most common, `detail` says so: set another with `POST /auth/password`.',
  },
  'not-by-token': {
    title: 'Not by API token',
    help: 'An API token cannot be used for sign-ins, passwords or API tokens. Sign in with a password or an identity provider.',
  },
  'origin-not-allowed': {
    title: 'Origin not allowed',
    help: 'Pages of this origin may not connect. An operator can add it to `http.allowedOrigins` of `server.yaml`.',
  },
  'beyond-own-permissions': {
    title: 'Beyond your permissions',
    help: 'You cannot grant, remove or change something that has permissions you lack. Ask an administrator who has them.',
  },
  'account-banned': {
    title: 'Banned',
    help: 'The account or the address is banned. `reason` says why, and `until` when the ban ends. Without `until` it is permanent.',
  },
  'not-oneself': {
    title: 'Cannot sanction yourself',
    help: 'You cannot sanction yourself or end your own sanction. Ask another administrator.',
  },
  'changed-since': {
    title: 'Already changed',
    help: 'A field of this write has changed since. `changed` names each such field, who changed it and when. `before` and `after` are the values of the write, `current` is the value now. For a config, `revision` is the text before the write. Make the change by hand.',
  },
  'not-undoable': {
    title: 'Cannot be undone',
    help: 'This write cannot be undone. `detail` says why.',
  },
  'last-administrator': {
    title: 'Last administrator',
    help: 'The server needs at least one administrator. Make another account an administrator first.',
  },
  'managed-elsewhere': {
    title: 'Managed elsewhere',
    help: 'With `STORAGE=dynamodb` this works differently: the tables have their own backups, and worlds are moved on the command line. `detail` says how.',
  },
  'damaged-backup': {
    title: 'Damaged backup',
    help: 'A record of the backup cannot be read. `detail` says which. Create another backup.',
  },
  'too-many-jobs': {
    title: 'Too many jobs',
    help: 'Too many jobs wait for this world or the data folder. Wait for one, or cancel one.',
  },
  'too-many-snapshots': {
    title: 'Too many snapshots',
    help: 'The zone has the maximum number of snapshots. Delete one first.',
  },
  'module-rules': {
    title: 'Refused by a module',
    help: 'The module refuses the message. `detail` is its reason.',
  },
  'module-failed': {
    title: 'Module failed',
    help: 'The module failed to handle the message. `detail` has an id that is also in the log. Tell an administrator.',
  },
  'would-lose': {
    title: 'Something would be lost',
    help: 'The new version of the module no longer has something that the running one has. `lost` lists it. To load it anyway, send `{"yes": true}`.',
  },
  'not-found': {
    title: 'Not found',
    help: 'There is nothing at this address or with this name. Check the spelling.',
  },
  'method-not-allowed': {
    title: 'Method not allowed',
    help: 'The address does not accept this method. The `Allow` header lists the methods that it accepts.',
  },
  'misdirected-request': {
    title: 'Misdirected request',
    help: 'The server does not accept the host name of the request. Use the address that it printed at its start. An operator can add other names to `http.hosts` of `server.yaml`.',
  },
  'upgrade-required': {
    title: 'Upgrade required',
    help: 'This address only accepts WebSocket connections. Open it with a WebSocket client.',
  },
  'answer-too-large': {
    title: 'Answer too large',
    help: 'The answer is too large to send at once. Request a part of it, or use a server that streams.',
  },
  'record-too-large': {
    title: 'Record too large',
    help: 'The data is larger than one record can be. Make it smaller.',
  },
  'unsupported-media-type': {
    title: 'Unsupported media type',
    help: 'Send the body in a media type that the address accepts (`application/json` by default), in UTF-8 and without a content encoding.',
  },
  'body-too-large': {
    title: 'Body too large',
    help: 'The body is too large. Send less. The API description has the limit of each route.',
  },
  'head-too-large': {
    title: 'Headers too large',
    help: 'The headers and the address are larger than 16 KiB. Send fewer or shorter headers, or a shorter address.',
  },
  'request-timeout': {
    title: 'Request timeout',
    help: 'The request took too long: the limit is ten seconds for its headers and thirty in all. Send it again.',
  },
  'already-exists': {
    title: 'Already exists',
    help: 'The name is in use. Choose another name, or change the existing one.',
  },
  conflict: {
    title: 'Conflict',
    help: 'Another request changed the same data at the same time. Read it again and repeat.',
  },
  stale: {
    title: 'Stale version',
    help: 'The data has changed since you read it. Read it again and repeat with its new `ETag`.',
  },
  'unknown-group': {
    title: 'Unknown group',
    help: '`errors` names each group that does not exist. `GET /api/admin/groups` lists all groups.',
  },
  'unknown-permission': {
    title: 'Unknown permission',
    help: 'No route, command, part of the game or loaded module uses this permission, so a grant would have no effect. `detail` names the closest match. docs/permissions.md lists all permissions.',
  },
  'rule-broken': {
    title: 'Rule broken',
    help: 'Each value is valid, but they do not fit together. `errors` names the broken rule.',
  },
  'invalid-config': {
    title: 'Invalid config',
    help: 'The config is not valid. `errors` lists each fault with its line and column. Fix them and save again.',
  },
  'world-unusable': {
    title: 'World not usable',
    help: '`detail` says what is wrong with the files of the world. An operator can check them with `npm run world -- check NAME`.',
  },
  'world-held': {
    title: 'World in use',
    help: 'A node runs this world, or `GAME_WORLD_NAME` selects it. `detail` says which. Stop this node first, or wait until it has stopped.',
  },
  'lease-lost': {
    title: 'Lease lost',
    help: 'Another node has taken over this world. Nothing was written. Repeat the request.',
  },
  'storage-full': {
    title: 'Storage full',
    help: 'The disk of the server is full. Nothing was written. Ask an operator to free space, then repeat the request.',
  },
  'chunks-not-generated': {
    title: 'Chunks not generated',
    help: '`errors` names each column that is not generated yet. Walk there, or run `npm run world -- pregen`.',
  },
  'zone-overlap': {
    title: 'Zone overlap',
    help: '`detail` names the zone that is already there. Choose other chunks or heights, or change that zone first.',
  },
  'too-many-requests': {
    title: 'Too many requests',
    help: 'You sent too many requests. Wait as long as `Retry-After` says.',
  },
  'hashing-busy': {
    title: 'Sign-in busy',
    help: 'The server is checking too many passwords. Repeat after `Retry-After`.',
  },
  'accounts-unreadable': {
    title: 'Accounts unreadable',
    help: '`users.yaml` is not valid. An operator must fix it. Until then the server does not change it.',
  },
  'service-unavailable': {
    title: 'Service unavailable',
    help: 'A service that this server needs does not answer. Repeat after `Retry-After`.',
  },
  'internal-error': {
    title: 'Internal error',
    help: 'The server failed. Report it with the request id, which is in the log.',
  },
} as const satisfies Record<string, { title: string; help: string }>

/** The stable last part of a problem's `type`. */
export type ProblemSlug = keyof typeof problems
