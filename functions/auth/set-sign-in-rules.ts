import type { Actor } from '../../shared/domain/accounts/actor.ts'
import { type Configs, type ReloadByActorDeps, reloadByActor } from '../../shared/domain/configs/current/configs.ts'
import type { ConfigEditor } from '../../shared/domain/configs/editor/config-editor.ts'
import { setConfigValues } from '../../shared/domain/configs/editor/set-config-values.ts'

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
export const setSignInRules = async (deps: SignInRulesDeps, actor: Actor, requirePassword: boolean): Promise<void> => {
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
