/** The registration of this server at the issuers of tests. */
export const issuerClient = { id: 'gatehouse', secretEnv: 'OAUTH_SECRET', secret: 'the secret of OAUTH_SECRET' }
/** The password of every user at the issuer with a login form. */
export const issuerPassword = 'open sesame'
