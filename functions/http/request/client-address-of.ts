import type { Request } from 'express'
import { readClientAddress } from '../../../shared/domain/auth/client-address.ts'
import type { HttpDeps } from '../../deps.ts'

/** The address of the client, by the current `http.trustedProxies`. */
export const clientAddressOf = ({ configs }: Pick<HttpDeps, 'configs'>, req: Request): string =>
  readClientAddress(req, configs.get('server.yaml').http.trustedProxies)
