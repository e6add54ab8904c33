import { words } from '../words.ts'
import type { AuditEntry } from './undo-button.tsx'

type Facts = Readonly<Record<string, unknown>>
type Sides = { readonly before: Facts | undefined; readonly after: Facts | undefined }

/** The current names of zones and players by their ids, for entries that have only the id. */
export type FindName = (kind: 'zone' | 'player', id: string) => string

const isFacts = (value: unknown): value is Facts => typeof value === 'object' && value !== null && !Array.isArray(value)
const textIn = (facts: Facts | undefined, key: string): string | undefined => {
  const value = facts?.[key]
  // `{}` has a meaning in sentences.
  return typeof value === 'string' && value !== '' ? value.replaceAll('{}', '{ }') : undefined
}
const listIn = (facts: Facts | undefined, key: string): readonly unknown[] => {
  const value = facts?.[key]
  return Array.isArray(value) ? value : []
}

/** A text of a user in marks, so that its direction of writing changes no other text. */
const isolate = (text: string | undefined): string => (text === undefined ? '' : `\u2068${text}\u2069`)
/** The parts of a text that `isolate` made. Every second one is of a user. */
export const splitIsolated = (text: string): readonly string[] => text.split(/[\u2068\u2069]/)

/** Lists cut long values to an object. */
const isCut = (facts: Facts | undefined, key: string): boolean => isFacts(facts?.[key])

/** The items of the first list that the second does not have. */
const without = (one: readonly unknown[], other: readonly unknown[]): readonly unknown[] => {
  const texts = new Set(other.map((item) => JSON.stringify(item)))
  return one.filter((item) => !texts.has(JSON.stringify(item)))
}
const namesOf = (items: readonly unknown[]): readonly string[] => items.filter((item) => typeof item === 'string')

const describeGrants = (grants: readonly unknown[]): string =>
  words.listNames(
    grants.filter(isFacts).map((grant) => {
      const group = textIn(grant, 'group')
      const what =
        group === undefined
          ? words.activityParts.permission(textIn(grant, 'permission') ?? '')
          : words.activityParts.groups([group])
      const world = textIn(grant, 'world')
      const place =
        grant.zone !== undefined ? words.activityParts.inZone : world === undefined ? '' : words.activityParts.inWorld(world)
      return `${what}${place}${grant.until === undefined ? '' : words.activityParts.forTime}`
    }),
  )

/** A change of an account, by the fields that differ. */
const describeAccount = ({ before, after }: Sides): string => {
  const changes: string[] = []
  const [was, is] = [textIn(before, 'displayName'), textIn(after, 'displayName')]
  if (was !== undefined && is !== undefined && was !== is) changes.push(words.activityParts.renamed(isolate(is)))
  if (before?.email !== after?.email) changes.push(words.activityParts.newEmail(textIn(after, 'email') ?? ''))
  const addedTo = (one: Facts | undefined, other: Facts | undefined, key: string) =>
    isCut(one, key) || isCut(other, key) ? [] : without(listIn(other, key), listIn(one, key))
  const [given, taken] = [namesOf(addedTo(before, after, 'groups')), namesOf(addedTo(after, before, 'groups'))]
  if (given.length > 0) changes.push(words.activityParts.gave(words.activityParts.groups(given)))
  if (taken.length > 0) changes.push(words.activityParts.took(words.activityParts.groups(taken)))
  const [granted, revoked] = [addedTo(before, after, 'grants'), addedTo(after, before, 'grants')]
  if (granted.length > 0) changes.push(words.activityParts.gave(describeGrants(granted)))
  if (revoked.length > 0) changes.push(words.activityParts.took(describeGrants(revoked)))
  if (after?.passwordChanged === true)
    changes.push(before?.hasPassword === false ? words.activityParts.firstPassword : words.activityParts.newPassword)
  const [first, ...more] = changes
  if (first === undefined) return words.activity['account.update']
  return `${words.listNames([first, ...more.map((change) => change.replaceAll('{}', words.activityParts.them))])}.`
}

const describeSwitch = (sentence: (command: string) => string, one: Facts | undefined, other: Facts | undefined): string => {
  const keys = ['disabledByOthers', 'disabledBySelf']
  const commands = keys.flatMap((key) => namesOf(without(listIn(one, key), listIn(other, key))))
  return sentence(words.listNames([...new Set(commands)].map((command) => `/${command}`)))
}

const describeConfig = ({ before, after }: Sides, isUndone: boolean): string => {
  // An undo has the keys of its own change only.
  const known = isUndone ? before : after
  const changed = listIn(known, 'changed')
  const more = typeof known?.more === 'number' ? known.more : 0
  return changed.length + more === 0 ? words.activity['config.save'] : words.activityParts.settings(changed.length + more)
}

type Described = (sides: Sides, entry: Pick<AuditEntry, 'action' | 'target'>) => string | undefined

/** The sentences of entries that name the changed fields. */
const byAction: Readonly<Record<string, Described>> = {
  'account.update': describeAccount,
  'account.grants-ended': describeAccount,
  announcement: (_, { target }) => (target === 'everybody' ? undefined : words.activityParts.announcedIn),
  'config.reload': (_, { target }) => (target === 'all' ? words.activityParts.reloadedAll : undefined),
  'player.disable-command': ({ before, after }) => describeSwitch(words.activityParts.switchedOff, after, before),
  'player.enable-command': ({ before, after }) => describeSwitch(words.activityParts.switchedOn, before, after),
  'report.update': ({ before, after }) =>
    before?.state === after?.state
      ? undefined
      : after?.state === 'closed'
        ? words.activityParts.closedReport
        : words.activityParts.openedReport,
  'sanction.create': ({ after }) => words.activityParts.imposed[textIn(after, 'kind') ?? ''],
  'sanction.end': ({ before }) => words.activityParts.lifted[textIn(before, 'kind') ?? ''],
  'sanction.reinstate': ({ after }) => words.activityParts.restored[textIn(after, 'kind') ?? ''],
  'token.create': ({ after }) => words.activityParts.tokenMade(isolate(textIn(after, 'name'))),
  'token.delete': ({ before }) => words.activityParts.tokenDeleted(isolate(textIn(before, 'name'))),
  'token.use': ({ after }) => words.activityParts.tokenUsed(isolate(textIn(after, 'name'))),
  'world.rename': ({ after }) => words.activityParts.worldRenamed(textIn(after, 'name') ?? ''),
  'world.spawn': ({ after }) => (after === undefined ? words.activityParts.spawnReset : undefined),
  'zone.snapshot': ({ after }) => words.activityParts.snapshotTaken(isolate(textIn(after, 'name'))),
  'zone.restore': ({ after }) => words.activityParts.snapshotRestored(isolate(textIn(after, 'name'))),
  'zone.snapshot-delete': ({ before }) => words.activityParts.snapshotDeleted(isolate(textIn(before, 'name'))),
}

/** The action that an undo with this action reverts, if it is another one. */
const undoneBy: Readonly<Record<string, string>> = {
  'account.create': 'account.delete',
  'account.delete': 'account.create',
  'zone.create': 'zone.delete',
  'zone.delete': 'zone.create',
  'sanction.end': 'sanction.create',
  'sanction.reinstate': 'sanction.end',
  'player.enable-command': 'player.disable-command',
  'player.disable-command': 'player.enable-command',
}

/** The action that wrote a value of a module. An undo writes the value again, or deletes a new one. */
const isWrite = (action: string): boolean => /^module-(record|player)\.(update|delete)$/.test(action)

/** The words for an entry without its target, which is `{}`. */
const findSentence = (entry: AuditEntry): string => {
  const { target, undoes, mergedInto } = entry
  if (mergedInto !== undefined) return words.activityOfMerge
  const [one, other] = [isFacts(entry.before) ? entry.before : undefined, isFacts(entry.after) ? entry.after : undefined]
  // An undo is described by what it undoes, with the sides exchanged.
  const isUndone = undoes !== undefined && !/^(world\.rollback|zone\.restore)$/.test(entry.action)
  const sides = isUndone ? { before: other, after: one } : { before: one, after: other }
  const undone = isWrite(entry.action)
    ? entry.action.replace(/[a-z]+$/, sides.after === undefined ? 'delete' : 'update')
    : (undoneBy[entry.action] ?? entry.action)
  const action = isUndone ? undone : entry.action
  const described = action === 'config.save' ? describeConfig(sides, isUndone) : byAction[action]?.(sides, { action, target })
  const sentence = described ?? (words.activity as Readonly<Record<string, string>>)[action] ?? words.activityOther(action)
  return undoes === undefined ? sentence : words.activityParts.undid(sentence)
}

/** The zone or the player that an entry has only by its id. */
const findId = ({
  action,
  target,
  before,
  after,
}: AuditEntry): { readonly kind: 'zone' | 'player'; readonly id: string } | undefined => {
  if (/^zone\.(edit|snapshot|restore)/.test(action)) return { kind: 'zone', id: target }
  if (action === 'zone.delete' && !isFacts(before) && !isFacts(after)) return { kind: 'zone', id: target }
  const [, id] = /^[^/]+\/players\/(.+)$/.exec(target) ?? []
  return action.startsWith('module-player.') && id !== undefined ? { kind: 'player', id } : undefined
}

/** The ids of the zones or players that entries have no name of. */
export const listIds = (entries: readonly AuditEntry[], kind: 'zone' | 'player'): readonly string[] =>
  entries.map(findId).flatMap((found) => (found?.kind === kind ? found.id : []))

/** The name of the changed thing. Snapshots and tokens have a name of their own, which is not that of their zone or account. */
const nameTarget = (entry: AuditEntry, findName: FindName): string => {
  const { action, target, before, after, undoes } = entry
  const found = findId(entry)
  if (found?.kind === 'player') return words.activityParts.ofModule(findName('player', found.id), target.split('/')[0] ?? '')
  if (found !== undefined) return findName('zone', found.id)
  if (/^(token|sanction|config|world)\./.test(action)) return target
  const [was, is] = [isFacts(before) ? before : undefined, isFacts(after) ? after : undefined]
  // A renamed thing has its old name, as the sentence says the new one.
  const named = (action === 'account.update') === (undoes === undefined) ? (was ?? is) : (is ?? was)
  return textIn(named, 'displayName') ?? textIn(named, 'name') ?? target
}

/** The entry without its actor, in parts: “banned ”, “Bob”, “.”. A sentence about no object has only a start. */
export const readSentence = (entry: AuditEntry, findName: FindName) => {
  const sentence = findSentence(entry)
  const [start = '', middle = '', end = ''] = sentence.split('{}')
  return {
    start,
    name: sentence.includes('{}') ? nameTarget(entry, findName) : undefined,
    middle,
    into: entry.mergedInto,
    end: entry.count === undefined ? end : `${end} × ${entry.count}`,
  }
}

/** The entry without its actor as a plain text. */
export const tellSentence = (entry: AuditEntry, findName: FindName): string => {
  const { start, name = '', middle, into = '', end } = readSentence(entry, findName)
  return splitIsolated(`${start}${name}${middle}${into}${end}`).join('')
}
