/** A request of a test: `body` is sent as JSON, `rawBody` unchanged. */
export type DoorRequest = {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly rawBody?: string | Uint8Array
}

/** An answer: headers in lower case; the body is parsed if it is JSON, and absent if there is none. */
export type DoorAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: the expectations of the tests check the shape of answers
  readonly body: any
  readonly text: string
  /** The raw body, possibly compressed. */
  readonly bytes: Uint8Array
}

/** A transport to the app; answers must not depend on it. */
export type Door = {
  send(method: string, path: string, headers: Readonly<Record<string, string>>, body: Uint8Array | undefined): Promise<DoorAnswer>
  close(): Promise<void>
}

export const readAnswer = (status: number, headers: Readonly<Record<string, string>>, bytes: Uint8Array): DoorAnswer => {
  const text = Buffer.from(bytes).toString('utf8')
  const isJson =
    headers['content-encoding'] === undefined && /^application\/([a-z.]+\+)?json\b/.test(headers['content-type'] ?? '')
  return { status, headers, text, bytes, body: text === '' ? undefined : isJson ? JSON.parse(text) : text }
}
