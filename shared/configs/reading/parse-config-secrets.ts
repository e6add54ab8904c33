import { unknownKeyMessage } from '../../kernel/describe-fault.ts'
import type { Fault } from '../../kernel/errors.ts'

const secretName =
  /secret|passw(or)?d|passphrase|passcode|pwd|token|credential|bearer|(api|access|private|signing|encryption|client)key/

/** Whether a key is named as what nobody should read is: in any letter case, with anything before, between and behind. */
export const isSecretName = (key: string): boolean => secretName.test(key.toLowerCase().replaceAll(/[^a-z]/g, ''))

const secretMessage = `${unknownKeyMessage}, and is named like a secret: those do not stand in config files. Pass it by an environment variable, whose name is the value of a key that ends in Env, as auth.oauth.clientSecretEnv in server.yaml`

/** The fault of a key that is not known; where it is named like a secret, with the way to pass it. */
export const explainSecret = (fault: Fault): Fault => {
  const key = fault.pointer?.split('/').at(-1)
  return fault.message === unknownKeyMessage && key !== undefined && isSecretName(key)
    ? { ...fault, message: secretMessage }
    : fault
}
