/** Problems of signing in with an identity provider, merged into `problems`. */
export const providerProblems = {
  'provider-mismatch': {
    title: 'Provider mismatch',
    help: 'This server uses another way of signing in. See `/api/auth/config`.',
  },
  'return-url-not-allowed': {
    title: 'Return URL not allowed',
    help: 'Use a return address that is listed in `auth.oauth.allowedReturnUrls` of `server.yaml`.',
  },
  'unknown-state': {
    title: 'Unknown state',
    help: 'This sign-in is unknown or too old. Start it again.',
  },
  'state-used': {
    title: 'State used',
    help: 'This sign-in was already completed, which is possible only once. Start a new one.',
  },
  'state-expired': {
    title: 'State expired',
    help: 'The sign-in took longer than ten minutes, or the server changed its identity provider. Start it again.',
  },
  'wrong-browser': {
    title: 'Wrong browser',
    help: 'Complete a sign-in in the same browser, at the same host name, with cookies allowed. Start it again there.',
  },
  'consent-refused': {
    title: 'Consent refused',
    help: 'Consent was refused at the identity provider. Start the sign-in again and agree.',
  },
  'exchange-refused': {
    title: 'Exchange refused',
    help: 'The answer of the identity provider cannot be trusted. Start the sign-in again. An operator finds the cause in the log.',
  },
  'account-not-allowed': {
    title: 'Account not allowed',
    help: 'This account of the identity provider may not sign in here. `detail` says more. Ask an administrator for help.',
  },
  'identity-provider-unavailable': {
    title: 'Identity provider unavailable',
    help: 'The identity provider does not answer, or its setup is incomplete. Try again after `Retry-After`. An operator finds the cause in the log.',
  },
} as const
