import { type ChangedField, NotGatehouseError, type Problem, ProblemError, type ProblemFault } from '../errors.ts'

type Refused = { readonly status: number; readonly text: string; readonly header: (name: string) => string | null | undefined }

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

const isFault = (value: unknown): value is ProblemFault => isRecord(value) && typeof value.message === 'string'

const isText = (value: unknown): boolean => value === undefined || typeof value === 'string'

const isChangedField = (value: unknown): value is ChangedField =>
  isRecord(value) && typeof value.pointer === 'string' && isText(value.by) && isText(value.at)

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Seconds, from either form of Retry-After (RFC 9110, section 10.2.3). */
const readRetryAfter = (text: string): number => {
  const seconds = Number(text)
  return text === '' || Number.isFinite(seconds) ? seconds : Math.ceil((Date.parse(text) - Date.now()) / 1_000)
}

/** Whether another attempt may succeed. */
export const isPassingStatus = (status: number): boolean => status >= 500 || status === 429

/** The error of a refusal. One that requests a pause without a problem comes from a server that is stopping. */
export const readRefusal = (url: string, { status, text, header }: Refused): ProblemError | NotGatehouseError => {
  const said = parse(text)
  const body = isRecord(said) && typeof said.type === 'string' && typeof said.title === 'string' ? said : undefined
  const retryAfterSeconds = readRetryAfter(header('retry-after') ?? 'none')
  if (body === undefined && !(isPassingStatus(status) && retryAfterSeconds >= 0))
    return new NotGatehouseError(`${url} answered ${status}, but not like a Gatehouse server. Check the address.`, {
      status,
    })
  const requestId = header('x-request-id') ?? undefined
  const { detail, errors, changed, ...fields } = body ?? {}
  const problem: Problem = {
    ...fields,
    type: String(body?.type ?? 'about:blank'),
    title: String(body?.title ?? `${url} answered ${status}`),
    status,
    ...(typeof detail === 'string' && { detail }),
    ...(Array.isArray(errors) && { errors: errors.filter(isFault) }),
    ...(Array.isArray(changed) && { changed: changed.filter(isChangedField) }),
    ...(retryAfterSeconds >= 0 && { retryAfterSeconds }),
    ...(requestId !== undefined && { requestId }),
  }
  return new ProblemError(problem)
}
