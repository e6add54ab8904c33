/** Removes secrets from texts. */
export type Redactor = {
  /** From now on, hides `secret`. */
  hide(secret: string): void
  /** Hides every token in an answer. */
  hideTokens(text: string): void
  redact(text: string): string
}

const handedOut = /"token"\s*:\s*"([^"]{8,})"|[#&?]token=([^&\s"]{8,})/g

export const createRedactor = (): Redactor => {
  const secrets = new Set<string>()
  return {
    hide: (secret) => {
      if (secret !== '') secrets.add(secret)
    },
    hideTokens: (text) => {
      for (const [, inBody, inAddress] of text.matchAll(handedOut)) secrets.add(inBody ?? inAddress ?? '')
    },
    redact: (text) => [...secrets].reduce((shown, secret) => shown.replaceAll(secret, '[hidden]'), text),
  }
}
