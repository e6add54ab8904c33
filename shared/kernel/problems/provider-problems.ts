/** Those of a sign-in by an identity provider, as in `problems`. */
export const providerProblems = {
  'provider-mismatch': {
    title: 'Provider mismatch',
    help: 'This server signs people in another way; see `/api/auth/config`.',
  },
  'return-url-not-allowed': {
    title: 'Return URL not allowed',
    help: 'Ask for a return address that an operator has listed in `auth.oauth.allowedReturnUrls` of `server.yaml`.',
  },
  'unknown-state': {
    title: 'Unknown state',
    help: 'This sign-in was not begun here, or long ago; begin it anew.',
  },
  'state-used': {
    title: 'State used',
    help: 'This sign-in was ended before: each can be ended once; begin it anew.',
  },
  'state-expired': {
    title: 'State expired',
    help: 'The sign-in took longer than ten minutes, or the server changed its identity provider meanwhile; begin it anew.',
  },
  'wrong-browser': {
    title: 'Wrong browser',
    help: 'A sign-in ends in the browser in which it began, at the same host name, with cookies allowed; begin it anew there.',
  },
  'consent-refused': {
    title: 'Consent refused',
    help: 'Whoever signed in at the identity provider did not agree; begin the sign-in anew and agree.',
  },
  'exchange-refused': {
    title: 'Exchange refused',
    help: 'The identity provider did not vouch for this sign-in in a way that can be trusted; begin it anew. An operator finds the cause in the log.',
  },
  'account-not-allowed': {
    title: 'Account not allowed',
    help: 'The account at the identity provider may not sign in here; `detail` says what is known, an administrator can help.',
  },
  'identity-provider-unavailable': {
    title: 'Identity provider unavailable',
    help: 'The identity provider does not answer, or is not set up completely; repeat after `Retry-After`. An operator finds the cause in the log.',
  },
} as const
