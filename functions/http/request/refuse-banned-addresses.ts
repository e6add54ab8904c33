import type { RequestHandler } from 'express'
import { readClientAddress } from '../../../shared/auth/client-address.ts'
import { accountBanned } from '../../../shared/sanctions/banned-error.ts'
import type { HttpDeps } from '../../deps.ts'
import type { Respond } from '../answer/respond.ts'

/** Whoever keeps the server alive asks these from anywhere. */
const openPaths: ReadonlySet<string> = new Set(['/healthz', '/readyz'])

/** Refuses a banned address before anything of its request is looked at but the path. */
export const refuseBannedAddresses =
  ({ sanctionsInForce, configs }: Pick<HttpDeps, 'sanctionsInForce' | 'configs'>, respond: Respond): RequestHandler =>
  (req, res, next) => {
    const ban = openPaths.has(req.path)
      ? undefined
      : sanctionsInForce.findAddressBan(readClientAddress(req, configs.get('server.yaml').http.trustedProxies))
    if (ban === undefined) next()
    else respond.fail(req, res, accountBanned(ban))
  }
