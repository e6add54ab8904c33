import { get } from 'node:http'
import { isIP } from 'node:net'

/** Longer than any answer takes, shorter than the limit of the HEALTHCHECK. */
const timeoutMs = 2000

const everywhere = ['', '0.0.0.0', '::']

/** `node health-check.js [/readyz]`: exits with 0 if the server of this container answers 200, otherwise with 1. */
const check = (path: string, { HOST = '', PORT = '' }: NodeJS.ProcessEnv): void => {
  const host = everywhere.includes(HOST) ? '127.0.0.1' : HOST
  const request = get(`http://${isIP(host) === 6 ? `[${host}]` : host}:${PORT}${path}`, { timeout: timeoutMs }, (response) => {
    response.resume()
    process.exitCode = response.statusCode === 200 ? 0 : 1
  })
  request.on('timeout', () => request.destroy(new Error(`no answer within ${timeoutMs} ms`)))
  request.on('error', ({ message }) => {
    process.stderr.write(`${message}\n`)
    process.exitCode = 1
  })
}

check(process.argv[2] ?? '/healthz', process.env)
