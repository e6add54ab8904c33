const hrefOf = (text: string): string => (URL.canParse(text) ? new URL(text).href : text)

/** Whether a subject (`issuer|sub`) belongs to this identity provider. Compares issuers as addresses, as discovery does. */
export const isOfIssuer = (subject: string, issuer: string): boolean =>
  hrefOf(subject.slice(0, Math.max(0, subject.indexOf('|')))) === hrefOf(issuer)
