import { type Failure, UnreachableError } from '../errors.ts'

const codeOf = (error: unknown): string => {
  if (typeof error !== 'object' || error === null) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  if ('errors' in error && Array.isArray(error.errors)) return codeOf(error.errors[0])
  return 'cause' in error ? codeOf(error.cause) : ''
}

const tlsCode = /CERT|SSL|TLS|SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|EPROTO/
const byCode: Readonly<Record<string, Failure>> = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'unknown-host',
  ETIMEDOUT: 'timeout',
  UND_ERR_CONNECT_TIMEOUT: 'timeout',
}

const advice: Readonly<Record<Failure, string>> = {
  refused: 'Nothing listens there. Start the server (npm start), or check the port.',
  'unknown-host': 'The host name does not exist. Check its spelling, and that this machine is online.',
  tls: 'The secure connection failed. Check that the server uses https, and that its certificate is valid for this name and trusted here.',
  timeout: 'It did not answer in time. Check that it can be reached from here.',
  network: "Check the address, that the server is running, and that this page's origin is in its http.allowedOrigins.",
}

/** The reason that Node gives for a failed connection. Browsers give none, which makes it `network`. */
const failureOf = (error: unknown): Failure => {
  const code = codeOf(error)
  return byCode[code] ?? (tlsCode.test(code) ? 'tls' : 'network')
}

/** The error for an address without an answer. */
export const describeFailure = (url: string, cause: unknown, failure = failureOf(cause)): UnreachableError =>
  new UnreachableError(failure, `No server answers at ${url}. ${advice[failure]}`, { cause })
