export type Answer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  /** The body if it is JSON, else an empty object. */
  readonly body: Record<string, unknown>
}

type Asked = {
  readonly token?: string | undefined
  /** Sent as JSON. */
  readonly body?: unknown
  /** Sent unchanged, instead of a body. */
  readonly yaml?: string
  readonly headers?: Record<string, string>
}

const parse = (text: string): Record<string, unknown> => {
  try {
    return JSON.parse(text)
  } catch {
    return {}
  }
}

/** Sends one request like a client of the API: `ask(url, 'POST /auth/login', { body })`. */
export const ask = async (url: string, what: string, { token, body, yaml, headers = {} }: Asked = {}): Promise<Answer> => {
  const [method = '', path = ''] = what.split(' ')
  const mediaType = yaml === undefined ? 'application/json' : 'application/yaml'
  const sent = yaml ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(url + path, {
    method,
    headers: {
      ...(sent === undefined ? {} : { 'Content-Type': mediaType }),
      ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
      ...headers,
    },
    ...(sent === undefined ? {} : { body: sent }),
    signal: AbortSignal.timeout(60_000),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: parse(text) }
}

/** Signs in and returns the token; throws on a refusal. */
export const signIn = async (url: string, email: string, password = ''): Promise<string> => {
  const answer = await ask(url, 'POST /auth/login', { body: { email, password } })
  if (answer.status !== 200) throw new Error(`sign-in answered ${answer.status} ${answer.text}`)
  return String(answer.body.token)
}
