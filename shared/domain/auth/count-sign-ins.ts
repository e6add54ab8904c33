import type { ServiceMetrics, SignInKind } from '../../platform/metrics/service-metrics.ts'
import type { SignInService } from './sign-in.ts'

/** `signIn` with every outcome counted. */
export const countSignIns = (signIn: SignInService, metrics: Pick<ServiceMetrics, 'countSignIn'>): SignInService => {
  const count = async <T>(kind: SignInKind, run: () => Promise<T>): Promise<T> => {
    try {
      const signedIn = await run()
      metrics.countSignIn(kind)
      return signedIn
    } catch (fault) {
      metrics.countSignIn(kind, fault)
      throw fault
    }
  }
  return {
    ...signIn,
    login: (email, password, origin) => count('login', () => signIn.login(email, password, origin)),
    endOauth: (answer, origin) => count('oauth', () => signIn.endOauth(answer, origin)),
    claim: (secret, input, origin) => count('claim', () => signIn.claim(secret, input, origin)),
    renew: (token) => count('renew', () => signIn.renew(token)),
  }
}
