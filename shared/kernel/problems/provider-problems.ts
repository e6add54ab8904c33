/** Problems of a sign-in through an identity provider, as in `problems`. */
export const providerProblems = {
  'provider-mismatch': {
    title: 'Provider mismatch',
    help: 'This server uses another way to sign in. See `/api/auth/config`.',
  },
  'return-url-not-allowed': {
    title: 'Return URL not allowed',
    help: 'The return URL is not allowed. An operator can add it to `auth.oauth.allowedReturnUrls` of `server.yaml`.',
  },
  'unknown-state': {
    title: 'Unknown sign-in',
    help: 'The server does not know this sign-in: it began elsewhere, or too long ago. Start the sign-in again.',
  },
  'state-used': {
    title: 'Sign-in already used',
    help: 'This sign-in has already ended. Start a new one.',
  },
  'state-expired': {
    title: 'Sign-in timed out',
    help: 'The sign-in took longer than ten minutes, or the server has changed its identity provider since. Start the sign-in again.',
  },
  'wrong-browser': {
    title: 'Wrong browser',
    help: 'A sign-in must end in the browser in which it began, at the same host name, with cookies allowed. Start the sign-in again there.',
  },
  'consent-refused': {
    title: 'Consent refused',
    help: 'Access was not granted at the identity provider. Start the sign-in again and grant it.',
  },
  'exchange-refused': {
    title: 'Sign-in not verified',
    help: 'The server could not verify the answer of the identity provider. Start the sign-in again. Operators find the cause in the log.',
  },
  'account-not-allowed': {
    title: 'Account not allowed',
    help: 'The account at the identity provider may not sign in here. `detail` says why. Ask an administrator for help.',
  },
  'identity-provider-unavailable': {
    title: 'Identity provider unavailable',
    help: 'The identity provider does not answer, or its setup is not complete. Repeat after `Retry-After`. Operators find the cause in the log.',
  },
} as const
