import type { RequestHandler } from 'express'
import { accountBanned } from '../../../shared/domain/sanctions/banned-error.ts'
import { healthPaths } from '../../../shared/kernel/health-paths.ts'
import type { HttpDeps } from '../../deps.ts'
import type { Respond } from '../answer/respond.ts'
import { clientAddressOf } from './client-address-of.ts'

/** Refuses banned addresses before it looks at more than the path of a request. */
export const refuseBannedAddresses =
  ({ activeSanctions, configs }: Pick<HttpDeps, 'activeSanctions' | 'configs'>, respond: Respond): RequestHandler =>
  (req, res, next) => {
    const ban = healthPaths.has(req.path) ? undefined : activeSanctions.findAddressBan(clientAddressOf({ configs }, req))
    if (ban === undefined) next()
    else respond.fail(req, res, accountBanned(ban))
  }
