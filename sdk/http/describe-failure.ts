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
  refused: 'Nothing listens there: is the server running (npm start), and is the port right?',
  'unknown-host': 'That host name does not exist: is it spelled right, and is this machine online?',
  tls: 'A secure connection failed: is the certificate valid for that name and trusted here, and does the server speak https?',
  timeout: 'It did not answer in time: is it reachable from here?',
  network: "Is the address right, the server running, and this page's origin in its http.allowedOrigins?",
}

/** What Node tells of a connection that failed, and `network` where it is a browser, which tells nothing. */
const failureOf = (error: unknown): Failure => {
  const code = codeOf(error)
  return byCode[code] ?? (tlsCode.test(code) ? 'tls' : 'network')
}

/** The error of an address at which no answer was got. */
export const describeFailure = (url: string, cause: unknown, failure = failureOf(cause)): UnreachableError =>
  new UnreachableError(failure, `No server answers at ${url}. ${advice[failure]}`, { cause })
