import { Type } from '@sinclair/typebox'
import type { Actor } from '../../shared/domain/accounts/actor.ts'
import { type Configs, type ReloadByActorDeps, reloadByActor } from '../../shared/domain/configs/current/configs.ts'
import type { ConfigEditor } from '../../shared/domain/configs/editor/config-editor.ts'
import { setConfigValues } from '../../shared/domain/configs/editor/set-config-values.ts'
import { ClosedObject } from '../../shared/kernel/closed-object.ts'
import type { HttpDeps } from '../deps.ts'
import { signInBodyBytesMax } from '../http/body-sizes.ts'
import { authenticate } from '../http/request/authenticate.ts'
import { ok, route } from '../http/route.ts'
import { SignedIn } from './login.ts'

type SignInRulesDeps = ReloadByActorDeps & {
  readonly configs: Pick<Configs, 'get' | 'reload'>
  readonly configEditor: Pick<ConfigEditor, 'read' | 'save'>
}

const name = 'server.yaml'

/**
 * Sets whether players need a password. If they do, invited people can register. Writes server.yaml, keeps its comments, audits
 * the change and applies it in every process. Writes nothing if the settings do not change. Throws what `ConfigEditor.save`
 * throws.
 */
const setSignInRules = async (deps: SignInRulesDeps, actor: Actor, requirePassword: boolean): Promise<void> => {
  const { provider, local } = deps.configs.get(name).auth
  // With another provider, the identity provider decides who signs in.
  if (provider !== 'local') return
  const { requirePassword: current, registration } = local
  const settings = [
    ...(current === requirePassword ? [] : [{ path: ['auth', 'local', 'requirePassword'], value: requirePassword }]),
    ...(requirePassword && registration === 'off' ? [{ path: ['auth', 'local', 'registration'], value: 'invite' }] : []),
  ]
  if (settings.length === 0) return
  const { text, source, etag } = await deps.configEditor.read(name, actor)
  // A file has only the differences from the defaults.
  const next = setConfigValues(source === 'default' ? '' : text, settings)
  await deps.configEditor.save(name, next, { actor, ...(source === 'data' && { ifEtag: etag }) })
  await reloadByActor(deps, actor, [name])
}

const Claimed = Type.Object(
  {
    ...SignedIn.properties,
    requirePassword: Type.Optional(
      Type.Boolean({
        description:
          'Whether players need a password from now on, if the request sets it. False after a request with true: server.yaml could not be written, and the log says why.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** The setting that applies now. The claim stays valid even if server.yaml cannot be written. */
const applySignInRules = async (deps: HttpDeps, token: string, requirePassword: boolean, requestId: string): Promise<boolean> => {
  try {
    const { actor } = await authenticate(deps, `Bearer ${token}`, requestId)
    await setSignInRules(deps, actor, requirePassword)
    return requirePassword
  } catch (err) {
    deps.log.warn({ err, requestId }, 'the claim could not set auth.local.requirePassword in server.yaml')
    return deps.configs.get('server.yaml').auth.local.requirePassword
  }
}

/** Creates the first administrator, once, for the holder of the claim that the server printed at its start. */
export const claim = route({
  method: 'post',
  path: '/auth/claim',
  permission: 'none',
  operationId: 'claimServer',
  summary: 'Claim the administrator account of a new server.',
  body: ClosedObject({
    claim: Type.String({ maxLength: 128 }),
    email: Type.String({ description: 'For a new account: at most 254 bytes of UTF-8.' }),
    password: Type.String(),
    displayName: Type.Optional(Type.String()),
    requirePassword: Type.Optional(
      Type.Boolean({
        description:
          'True: players need a password or an invitation. False: any email signs in, for testing. Sets `auth.local` in server.yaml. Absent: no change.',
      }),
    ),
  }),
  bodyBytesMax: signInBodyBytesMax,
  countedAs: 'sign-in-address',
  responses: { 200: Claimed },
  problems: [
    'invalid-claim',
    'already-claimed',
    'display-name-taken',
    'common-password',
    'too-many-requests',
    'hashing-busy',
    'accounts-unreadable',
  ],
  handle: async (deps, { body, request: { address, requestId } }) => {
    const { claim: secret, requirePassword, ...account } = body
    const signedIn = await deps.signIn.claim(secret, account, { address, requestId })
    if (requirePassword === undefined) return ok(signedIn)
    const applied = await applySignInRules(deps, signedIn.token, requirePassword, requestId)
    return ok({ ...signedIn, requirePassword: applied })
  },
})
