/** A request as a test writes it: `body` goes out as JSON, `rawBody` as it is. */
export type DoorRequest = {
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly rawBody?: string | Uint8Array
}

/** An answer: headers in lower case, the body parsed when it is JSON as it is, absent when there is none. */
export type DoorAnswer = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers, and say by their expectations what is in there
  readonly body: any
  readonly text: string
  /** The body as it came, perhaps compressed. */
  readonly bytes: Uint8Array
}

/** One way into the app; what comes out must not depend on which. */
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
