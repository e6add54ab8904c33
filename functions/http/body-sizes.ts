import { AppError } from '../../shared/kernel/errors.ts'

/** Default limit of a request body, in bytes. */
export const bodyBytesDefault = 64 * 1024

/** For routes that anyone may call: an email, a password and a name. */
export const signInBodyBytesMax = 8 * 1024

/** For 4,096 columns of a zone, one per line. */
export const columnsBodyBytesMax = 256 * 1024

/** In the unit in which limits are documented. */
export const formatBytes = (bytes: number): string =>
  bytes % 1_048_576 === 0 ? `${bytes / 1_048_576} MiB` : bytes % 1024 === 0 ? `${bytes / 1024} KiB` : `${bytes} bytes`

/** The error for a body that is larger than its limit. */
export const tooLarge = (bytesMax: number) =>
  new AppError('too-large', 'body-too-large', `The body is too large. The limit here is ${formatBytes(bytesMax)}.`)
