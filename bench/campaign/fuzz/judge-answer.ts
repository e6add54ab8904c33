import type { Incoming } from '../../../tools/conformance/client/http-client.ts'
import type { Target } from './target.ts'

const stackTrace = /\n\s+at .+[:(]\d+|\bat [\w.<>]+ \((?:file|\/|node:)/
const ownPath = /\/(?:tmp|root|home|work|usr)\/[\w.-]+\/|node_modules|\.build\/|users\.yaml\.|[A-Z]:\\/

/** 503 is valid with Retry-After, because the queue of hashes is limited. */
const isBusy = ({ status, headers }: Incoming): boolean => status === 503 && headers['retry-after'] !== undefined

/**
 * Returns forbidden content of an answer, or the reason why its status is wrong; undefined for a valid one. `sent` is the
 * client's own text, which an answer may repeat.
 */
export const judgeAnswer = (answer: Incoming, sent: string, target: Target): string | undefined => {
  const { status, text, headers } = answer
  if (status >= 500 && !isBusy(answer)) return `answered ${status}: ${text.slice(0, 300)}`
  if (status >= 400 && text !== '' && headers['content-type'] !== 'application/problem+json')
    return `${status} is not a problem document: ${String(headers['content-type'])}`
  if (status < 400) return undefined
  const own = text.replaceAll(sent, '')
  if (stackTrace.test(own) && !stackTrace.test(sent)) return `a stack trace in an answer: ${text.slice(0, 300)}`
  if (ownPath.test(own) && !ownPath.test(decodeURIComponentSafely(sent)))
    return `a path of the machine in an answer: ${text.slice(0, 300)}`
  const tokens = ['boss', 'fuzz-1', 'fuzz-2'].flatMap((as) => target.tokenOf(as) ?? [])
  if (tokens.some((token) => text.includes(token) && !sent.includes(token))) return 'a token in an answer'
  return undefined
}

const decodeURIComponentSafely = (text: string): string => {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
