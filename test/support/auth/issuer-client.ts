/** This server as the issuers of tests know it. */
export const issuerClient = { id: 'gatehouse', secretEnv: 'OAUTH_SECRET', secret: 'the secret of OAUTH_SECRET' }
/** Everybody's, at the issuer with a login form. */
export const issuerPassword = 'open sesame'
