import { providerProblems } from './provider-problems.ts'

/** Every problem slug there is, with its title and what a caller can do about it; `docs/errors.md` and OpenAPI are made from it. */
export const problems = {
  ...providerProblems,
  'bad-request': {
    title: 'Bad request',
    help: 'The request could not be parsed, or breaks the schema; `errors` points at each fault.',
  },
  'not-signed-in': {
    title: 'Not signed in',
    help: 'Send `Authorization: Bearer <token>` with a token from a sign-in.',
  },
  'invalid-token': {
    title: 'Invalid token',
    help: 'The token is malformed, expired or revoked; sign in again.',
  },
  'invalid-credentials': {
    title: 'Invalid credentials',
    help: 'Email and password do not match an account that can sign in.',
  },
  'wrong-password': {
    title: 'Wrong password',
    help: 'The password until now is wrong; the token is as good as before.',
  },
  'no-password': {
    title: 'No password',
    help: 'The account has no password, so none proves whose it is; an administrator can set the first one.',
  },
  'sign-in-expired': {
    title: 'Sign-in expired',
    help: 'Twelve hours have passed since the sign-in; sign in again.',
  },
  'invalid-claim': {
    title: 'Invalid claim',
    help: 'The claim is wrong, used or expired. Restart the server: it prints a new link in its terminal.',
  },
  'already-claimed': {
    title: 'Already claimed',
    help: 'An administrator exists; ask them for access.',
  },
  muted: {
    title: 'Muted',
    help: 'What this would show to others is not for you to say now; the detail says why, and until when.',
  },
  'registration-closed': {
    title: 'Registration closed',
    help: 'Nobody makes an account of their own here; ask an administrator for one.',
  },
  'invalid-invitation': {
    title: 'Invalid invitation',
    help: 'The invitation is wrong, used or over; ask whoever invited you for another.',
  },
  'invalid-reset-link': {
    title: 'Invalid reset link',
    help: 'The link is wrong, used or over, or the password was changed since it was made; ask an administrator for another.',
  },
  'display-name-taken': {
    title: 'Display name taken',
    help: 'Another account has that name or one that looks like it, or the name is reserved. Choose another.',
  },
  'common-password': {
    title: 'Common password',
    help: 'The password is one of the 10,000 most common, and the account holds an `admin.` permission or would get one. Choose another.',
  },
  'missing-permission': {
    title: 'Missing permission',
    help: '`detail` names the permission; an administrator can grant it through a group.',
  },
  'password-sign-in-needed': {
    title: 'Password sign-in needed',
    help: 'Privileged actions need a verified sign-in: one by password, or by an identity provider. `detail` says so where the password is one of the 10,000 most common: set another with `POST /auth/password`.',
  },
  'origin-not-allowed': {
    title: 'Origin not allowed',
    help: 'Pages of that origin may not connect; an operator lists those that may in `http.allowedOrigins` of `server.yaml`.',
  },
  'beyond-own-permissions': {
    title: 'Beyond own permissions',
    help: 'Nobody grants, takes or changes what holds a permission that they lack.',
  },
  'account-banned': {
    title: 'Banned',
    help: 'The account, or the address, is banned: `reason` says why and `until` until when; without `until` there is no end.',
  },
  'not-oneself': {
    title: 'Not oneself',
    help: 'Nobody sanctions themself, or ends a sanction of their own; ask somebody else.',
  },
  'changed-since': {
    title: 'Changed since',
    help: 'A field that the write changed has another value by now: `changed` names each with who changed it and when, `before` and `after` are of that write, `current` is what is there. For a config, `revision` is the text before that write. Change it by hand.',
  },
  'not-undoable': {
    title: 'Not undoable',
    help: '`detail` says why this write cannot be taken back.',
  },
  'last-administrator': {
    title: 'Last administrator',
    help: 'Make somebody else an administrator first.',
  },
  'managed-elsewhere': {
    title: 'Managed elsewhere',
    help: 'With `STORAGE=dynamodb` this is done elsewhere: the tables keep their own backups, and worlds are moved on the command line. `detail` says how.',
  },
  'damaged-backup': {
    title: 'Damaged backup',
    help: 'A record of the backup cannot be read; `detail` says which. Take another one.',
  },
  'too-many-jobs': {
    title: 'Too many jobs',
    help: 'As many jobs as may wait for that world or the data folder do: wait for one, or cancel one.',
  },
  'too-many-snapshots': {
    title: 'Too many snapshots',
    help: 'The zone has as many snapshots as it may: delete one first.',
  },
  'not-found': {
    title: 'Not found',
    help: 'Nothing answers to that address or name.',
  },
  'method-not-allowed': {
    title: 'Method not allowed',
    help: 'The `Allow` header lists the methods of this address.',
  },
  'misdirected-request': {
    title: 'Misdirected request',
    help: 'The server does not answer to the host name of the request. Use the address that it printed at its start; an operator lists other names in `http.hosts` of `server.yaml`.',
  },
  'upgrade-required': {
    title: 'Upgrade required',
    help: 'This address speaks WebSocket only; open it with a WebSocket client.',
  },
  'answer-too-large': {
    title: 'Answer too large',
    help: 'This address cannot send so much at once; ask for a part of it, or ask a server that streams.',
  },
  'record-too-large': {
    title: 'Record too large',
    help: 'What is to be stored is more than one record can hold; make it smaller.',
  },
  'unsupported-media-type': {
    title: 'Unsupported media type',
    help: 'Send the body in a media type that the address takes (`application/json`, where it says nothing else), in UTF-8 and without a content encoding.',
  },
  'body-too-large': {
    title: 'Body too large',
    help: 'Send less: each route says in the API description how large its body may be.',
  },
  'head-too-large': {
    title: 'Head too large',
    help: 'Send fewer or shorter headers, or a shorter address: together they may be 16 KiB.',
  },
  'request-timeout': {
    title: 'Request timeout',
    help: 'A request has ten seconds for its headers and thirty in all; send it again, faster.',
  },
  'already-exists': {
    title: 'Already exists',
    help: 'Choose another name, or change what is there.',
  },
  conflict: {
    title: 'Conflict',
    help: 'Somebody else changed the same thing at the same time; read it again and repeat.',
  },
  stale: {
    title: 'Stale version',
    help: 'What you read has changed since; read it again and repeat with its new `ETag`.',
  },
  'unknown-group': {
    title: 'Unknown group',
    help: '`errors` names each group that does not exist; `GET /api/admin/groups` lists those that do.',
  },
  'unknown-permission': {
    title: 'Unknown permission',
    help: 'No route, command, part of the game or loaded module asks for it, so granting it would have no effect. `detail` names the nearest known permission; docs/permissions.md lists all.',
  },
  'rule-broken': {
    title: 'Rule broken',
    help: 'Each value is of the right form, but they do not go together; `errors` says which rule they break.',
  },
  'invalid-config': {
    title: 'Invalid config',
    help: '`errors` lists each fault with its line and column.',
  },
  'world-unusable': {
    title: 'World unusable',
    help: '`detail` says what is wrong with the files of the world; `npm run world -- check NAME` reports more, and an operator can mend it.',
  },
  'world-held': {
    title: 'World held',
    help: 'A node runs this world, or `GAME_WORLD_NAME` selects it; `detail` says which. Stop that node first, or wait until it is gone.',
  },
  'lease-lost': {
    title: 'Lease lost',
    help: 'Another node has taken over this world; nothing was written.',
  },
  'storage-full': {
    title: 'Storage full',
    help: 'There is no room left where the server keeps its data; nothing was written. It goes on when there is room.',
  },
  'chunks-not-generated': {
    title: 'Chunks not generated',
    help: '`errors` names each column that nobody has been to yet; walk there, or run `npm run world -- pregen`.',
  },
  'zone-overlap': {
    title: 'Zone overlap',
    help: '`detail` names the zone that is there already; choose other chunks or heights, or change that one first.',
  },
  'too-many-requests': {
    title: 'Too many requests',
    help: 'Wait for as long as `Retry-After` says.',
  },
  'hashing-busy': {
    title: 'Sign-in busy',
    help: 'Too many passwords are being checked; repeat after `Retry-After`.',
  },
  'accounts-unreadable': {
    title: 'Accounts unreadable',
    help: '`users.yaml` does not parse; an operator must mend it, nothing writes over it until then.',
  },
  'service-unavailable': {
    title: 'Service unavailable',
    help: 'A service that this depends on does not answer; repeat after `Retry-After`.',
  },
  'internal-error': {
    title: 'Internal error',
    help: 'Our fault; the request id finds it in the log.',
  },
} as const satisfies Record<string, { title: string; help: string }>

/** The stable last part of a problem's `type`. */
export type ProblemSlug = keyof typeof problems
