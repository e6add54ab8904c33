import type { CommandReply } from '../command.ts'

/** Which check refused a command; stable, in `data.code` of the reply. */
export type RefusalCode =
  | 'unknown-command'
  | 'command-disabled'
  | 'missing-permission'
  | 'password-sign-in-needed'
  | 'bad-arguments'
  | 'refused'
  | 'failed'

/** A reply that says no, why in words, and by `data.code` which check it was. */
export const createRefusal = (code: RefusalCode, text: string, details: object = {}): CommandReply => ({
  ok: false,
  text,
  data: { code, ...details },
})
