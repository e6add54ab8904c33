import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Ids } from '../../../kernel/ids.ts'
import type { Log } from '../../../kernel/log.ts'
import { createQueue } from '../../../kernel/queue.ts'
import type { Actor } from '../../accounts/actor.ts'
import type { AuditLog } from '../../audit/audit-log.ts'
import { decidePermission } from '../../permissions/decide-permission.ts'
import { catalogue, configNames, isConfigName } from '../catalogue.ts'
import type { ConfigChange, ConfigImpact } from '../compare/config-impact-schema.ts'
import { isSame } from '../compare/list-changes.ts'
import type { Configs } from '../current/configs.ts'
import type { ConfigName } from '../declare/config-file.ts'
import { shippedConfigs } from '../generated/shipped-configs.ts'
import { etagOf } from '../texts/config-etag.ts'
import { type ConfigFiles, type ConfigRevision, type ConfigText, configBytesMax, noSuchConfig } from '../texts/config-files.ts'
import type { DescribeImpact } from './config-impact.ts'
import { auditConfigSave, auditFailedSave } from './config-save-audit.ts'
import { type ConfigCheckDeps, type ConfigWriter, planConfigSave, type SaveEffect } from './plan-config-save.ts'
import { createStoredConfigs } from './stored-configs.ts'

type SavedConfig = { readonly name: ConfigName; readonly etag: string; readonly effect: SaveEffect }

/** A config file for a list. The fields about its text are absent for a reader without the permission of the file. */
type ListedConfig = {
  readonly name: ConfigName
  readonly summary: string
  readonly effect: SaveEffect
  /** Whether the values equal the bundled ones, whatever the comments. */
  readonly isDefault?: boolean
  /** ISO 8601, UTC; absent for the bundled text. */
  readonly savedAt?: string
  readonly savedBy?: string
}

/** The changes that saving a text would make. */
export type Rehearsal = {
  readonly name: ConfigName
  readonly effect: SaveEffect
  /** From the stored text to the new one. */
  readonly changes: readonly ConfigChange[]
  /** The effects on players and accounts, without emails for a writer without `admin.users.read`. */
  readonly impact: ConfigImpact
}

/**
 * Reads and writes config files for administrators. The caller has checked the general permission; this checks the file's own permission
 * to read. A name that is not in the catalogue throws AppError `not-found`, whatever is on disk.
 */
export type ConfigEditor = {
  /** Sorted. */
  list(): readonly ConfigName[]
  /** The files with their purpose and state, in the order of `list`. */
  describeAll(actor: Actor): Promise<readonly ListedConfig[]>
  /** The stored text, and the strongest effect that a change of the file can have. */
  read(name: string, actor: Actor): Promise<ConfigText & { readonly effect: SaveEffect }>
  /**
   * Checks a text, audits it and stores it; the previous text becomes a revision. An unchanged text changes nothing. A save does not
   * reload: `POST /api/admin/reload` applies the stored texts. Throws AppError
   * `unprocessable` `invalid-config` with every fault, `beyond-own-permissions`, `stale`, and `unavailable` with the old text intact.
   */
  save(name: string, text: string, writer: ConfigWriter): Promise<SavedConfig>
  /** Checks a text like `save` and returns what saving it would change; writes nothing. */
  rehearse(name: string, text: string, writer: ConfigWriter): Promise<Rehearsal>
  /** Earlier texts, newest first, at most 20. */
  revisions(name: string, actor: Actor): Promise<readonly ConfigRevision[]>
  /** An earlier text; throws `not-found` if there is no such revision, or no longer. */
  getRevision(name: string, revision: string, actor: Actor): Promise<string>
}

/** The impact for callers who may not read accounts: the number of affected accounts without emails. */
const hideAccounts = ({ groups, ...impact }: ConfigImpact): ConfigImpact => ({
  ...impact,
  ...(groups && { groups: { ...groups, accounts: groups.accounts && { ...groups.accounts, listed: [] } } }),
})

type ConfigEditorDeps = Omit<ConfigCheckDeps, 'stored'> & {
  readonly configs: Pick<Configs, 'get'>
  readonly files: ConfigFiles
  readonly audit: Pick<AuditLog, 'append'>
  /** Describes the effects of a change. */
  readonly describeImpact: DescribeImpact
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Log
}

/** How often a save without a tag is checked again because another save was faster. */
const attemptsMax = 10

const getConfigName = (name: string): ConfigName => {
  if (isConfigName(name)) return name
  throw noSuchConfig()
}

const isAllowed = ({ rules, verified }: Actor, permission: string): boolean =>
  decidePermission(rules, permission, { verified, privileged: true }).allowed

const expectReader = (name: ConfigName, actor: Actor): void => {
  const { readPermission } = catalogue[name]
  if (isAllowed(actor, readPermission)) return
  throw new AppError('forbidden', 'missing-permission', `Reading ${name} needs the permission "${readPermission}".`)
}

const hideFormer = (change: ConfigChange): ConfigChange => ({ ...change, from: 'hidden' })

const asUnprocessable = (error: unknown): unknown =>
  error instanceof AppError && error.kind === 'invalid'
    ? new AppError('unprocessable', error.slug, error.publicDetail, { cause: error.cause })
    : error

/** The text for people, without a byte order mark. */
const withoutMark = (text: string): string => text.replace(/^\uFEFF+/, '')

/** `text` as it is stored: keeps the byte order mark of a hand-written file if the size permits. */
const withMarkOf = (before: string | undefined, text: string): string => {
  const marked = `${before?.match(/^\uFEFF+/)?.[0] ?? ''}${text}`
  return Buffer.byteLength(marked) > configBytesMax ? text : marked
}

/** The editor of the stored configs. Active configs change only by a reload. */
export const createConfigEditor = (deps: ConfigEditorDeps): ConfigEditor => {
  const { files, audit, describeImpact, log } = deps
  const stored = createStoredConfigs(deps)
  const planDeps = { ...deps, stored }
  // A save is checked against the result of the previous one, including other files.
  const inTurn = createQueue()

  /** Writes the audit entry first: there may be an entry without a save, but never a save without an entry. */
  const saveOnce = async (name: ConfigName, sent: string, writer: ConfigWriter): Promise<SavedConfig> => {
    const { before, changes, omitted, effect } = await planConfigSave(planDeps, { name, text: sent, writer })
    const text = withMarkOf(before?.text, sent)
    if (before?.text === text) return { name, etag: before.etag, effect }
    await audit.append([auditConfigSave(deps, writer.actor, { name, before, text, etag: etagOf(text), changes, omitted })])
    const ifEtag = before?.etag
    try {
      const save = { savedBy: writer.actor.email, ...(ifEtag === undefined ? {} : { ifEtag }) }
      return { name, ...(await files.write(name, text, save)), effect }
    } catch (error) {
      await audit.append([auditFailedSave(deps, writer.actor, name)]).catch((err: unknown) => {
        log.warn({ err, config: name }, 'could not record a failed save in the audit log')
      })
      throw error
    }
  }

  const save = async (name: ConfigName, text: string, writer: ConfigWriter): Promise<SavedConfig> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await saveOnce(name, text, writer)
      } catch (error) {
        const overtaken = writer.ifEtag === undefined && error instanceof AppError && error.kind === 'stale'
        if (!overtaken || attempt === attemptsMax) throw error
      }
    }
  }

  const describeOne = async (name: ConfigName, actor: Actor): Promise<ListedConfig> => {
    const { summary, effect, readPermission } = catalogue[name]
    if (!isAllowed(actor, readPermission)) return { name, summary, effect }
    const origin = await files.findOrigin(name)
    const isDefault = origin === undefined || isSame(await stored.findValue(name), shippedConfigs[name].value)
    return { name, summary, effect, isDefault, ...origin }
  }

  return {
    list: () => configNames,
    describeAll: (actor) => Promise.all(configNames.map((name) => describeOne(name, actor))),
    read: async (text, actor) => {
      const name = getConfigName(text)
      expectReader(name, actor)
      try {
        const stored = await files.read(name)
        return { ...stored, text: withoutMark(stored.text), effect: catalogue[name].effect }
      } catch (error) {
        throw asUnprocessable(error)
      }
    },
    save: (name, text, writer) => inTurn(async () => save(getConfigName(name), withoutMark(text), writer)),
    rehearse: async (sent, text, writer) => {
      const name = getConfigName(sent)
      const { states, changes, effect, warnings } = await planConfigSave(planDeps, { name, text, writer })
      // The old values are only for callers who may read the file.
      const shown = isAllowed(writer.actor, catalogue[name].readPermission) ? changes : changes.map(hideFormer)
      const described = await describeImpact(name, states)
      const impact = { ...described, warnings: [...described.warnings, ...warnings] }
      return { name, effect, changes: shown, impact: isAllowed(writer.actor, 'admin.users.read') ? impact : hideAccounts(impact) }
    },
    revisions: async (text, actor) => {
      const name = getConfigName(text)
      expectReader(name, actor)
      return files.revisions(name)
    },
    getRevision: async (sent, revision, actor) => {
      const name = getConfigName(sent)
      expectReader(name, actor)
      const text = await files.findRevision(name, revision)
      if (text === undefined) throw new AppError('not-found', 'not-found', `${name} has no revision with that id.`)
      return withoutMark(text)
    },
  }
}
