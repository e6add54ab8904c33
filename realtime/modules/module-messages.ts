import type { TSchema } from '@sinclair/typebox'
import { findUnknownKeys } from '../../shared/domain/modules/find-unknown-keys.ts'
import { decidePermission } from '../../shared/domain/permissions/decide-permission.ts'
import type { Fault } from '../../shared/kernel/errors.ts'
import { createParser } from '../../shared/kernel/schema.ts'
import { describeFailure } from '../game/module-hooks.ts'
import type { ModulePush } from '../protocol/generated/gatehouse.ts'
import type { ClientMessageOf } from '../protocol/messages.ts'
import type { RunningModule } from './running-module.ts'

/** An answer of a handler to a caller. `id` is that of the fault in the log. */
export type ModuleAnswer =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'failed'; readonly id: string }

/** Whether the value of a handler is `{ refuse: REASON }`. */
export const isRefusal = (value: unknown): value is { readonly refuse: unknown } =>
  typeof value === 'object' && value !== null && 'refuse' in value && value.refuse !== undefined

/** Why a message to a module was refused. */
export type MessageRefusal = {
  readonly code: 'invalid-message' | 'unknown-message' | 'module-rules' | 'module-failed' | 'forbidden'
  readonly reason: string
  /** A JSON Pointer into the parameters. */
  readonly pointer?: string
  /** Of `forbidden`: the permission that is missing. */
  readonly permission?: string
}

export type MessageAnswer = { readonly ok: true; readonly reply: unknown } | ({ readonly ok: false } & MessageRefusal)

/** The sender of a message: a player in the game, or an account over HTTP. */
export type MessageSender = {
  /** For `player.data`: undefined keeps no data. */
  readonly playerId: string
  readonly isOverHttp: boolean
  may(permission: string): boolean
  /** The sender as the module sees them. Called in a tick. */
  playerFor(module: RunningModule): object
}

export type ModuleMessages = {
  /** The declared cost of a message in the budget of its sender: 1 by default. */
  costOf(call: Pick<ClientMessageOf<'moduleCall'>, 'module' | 'name'>): number
  /** Checks a message and passes it to its module. Answers in a later step. */
  receive(
    sender: MessageSender,
    call: { readonly module: string; readonly name: string; readonly params: unknown },
    answer: (answer: MessageAnswer) => void,
  ): void
  /** Reads the parameters of a body. Undefined if it is too large or is not JSON. */
  parseBody(body: Uint8Array): { readonly params: unknown } | undefined
}

export type ModuleMessagesDeps = {
  readonly find: (name: string) => RunningModule | undefined
  readonly ask: (
    module: RunningModule,
    label: string,
    run: (game: object) => unknown,
    answer: (answer: ModuleAnswer) => void,
  ) => void
  readonly bytesMax: () => number
}

const refuse = (code: MessageRefusal['code'], reason: string, more: Partial<MessageRefusal> = {}): MessageAnswer => ({
  ok: false,
  code,
  reason,
  ...more,
})

const cut = (name: string): string => [...name].slice(0, 64).join('')

const decoder = new TextDecoder('utf-8', { fatal: true })

type Parse = ReturnType<typeof createParser>

/** By the schema object, which lasts as long as its module. */
const parsers = new WeakMap<TSchema, Parse>()
const parserOf = (schema: TSchema): Parse => {
  const known = parsers.get(schema) ?? createParser(schema, 'defaults')
  parsers.set(schema, known)
  return known
}

/** The parameters of a message. A key that their schema does not have is a fault: a slip of the keyboard must not spend coins. */
const parseParams = (schema: TSchema, params: unknown): ReturnType<Parse> => {
  const faults = findUnknownKeys(schema, params)
  return faults.length > 0 ? { ok: false, faults } : parserOf(schema)(params)
}

/** The message of a push. Throws if the module does not declare it, or if the body does not fit its schema. */
export const encodePush = ({ name: module, spec }: RunningModule, name: string, body: unknown): ModulePush => {
  const { pushes = {} } = spec.declare
  const schema = Object.hasOwn(pushes, name) ? pushes[name] : undefined
  if (schema === undefined) throw new Error(`The module declares no push "${cut(String(name))}".`)
  const parsed = parserOf(schema)(body)
  const [fault] = parsed.ok ? [] : parsed.faults
  if (!parsed.ok) throw new Error(`The push "${name}" does not fit its schema: ${fault?.pointer ?? ''} ${fault?.message ?? ''}`)
  return { module, name, body: Buffer.from(JSON.stringify(parsed.value)) }
}

export const createModuleMessages = ({ find, ask, bytesMax }: ModuleMessagesDeps): ModuleMessages => {
  const declarationOf = (module: RunningModule | undefined, name: string) =>
    module !== undefined && Object.hasOwn(module.spec.declare.messages ?? {}, name)
      ? module.spec.declare.messages?.[name]
      : undefined

  const refuseFaults = ([first]: readonly Fault[]): MessageAnswer =>
    refuse('invalid-message', first?.message ?? 'does not fit', { pointer: first?.pointer ?? '' })

  return {
    costOf: ({ module, name }) => declarationOf(find(module), name)?.cost ?? 1,
    parseBody: (body) => {
      if (body.length > bytesMax()) return undefined
      if (body.length === 0) return { params: {} }
      try {
        return { params: JSON.parse(decoder.decode(body)) }
      } catch {
        return undefined
      }
    },
    receive: (sender, { module: moduleName, name, params }, answer) => {
      const module = find(moduleName)
      if (module === undefined) {
        answer(refuse('unknown-message', `This server has no module "${cut(moduleName)}".`))
        return
      }
      const declared = declarationOf(module, name)
      const handler = module.spec.receive.get(name)
      if (declared === undefined || handler === undefined || (sender.isOverHttp && declared.http !== true)) {
        answer(refuse('unknown-message', `The module ${module.name} has no message "${cut(name)}".`))
        return
      }
      const { permission } = declared
      if (permission !== undefined && !sender.may(permission)) {
        answer(refuse('forbidden', `This needs the permission ${permission}.`, { permission }))
        return
      }
      const parsed = parseParams(declared.params, params)
      if (!parsed.ok) {
        answer(refuseFaults(parsed.faults))
        return
      }
      const run = (game: object): unknown => handler(sender.playerFor(module), parsed.value, game)
      const settle = (outcome: ModuleAnswer): void => {
        if (outcome.kind === 'failed') answer(refuse('module-failed', describeFailure(module.name, outcome.id)))
        else if (outcome.kind === 'refused') answer(refuse('module-rules', outcome.reason))
        else if (declared.reply === undefined) answer({ ok: true, reply: undefined })
        else {
          const reply = parserOf(declared.reply)(outcome.value)
          const [fault] = reply.ok ? [] : reply.faults
          if (reply.ok) answer({ ok: true, reply: reply.value })
          else {
            const why = `The reply of receive.${name} does not fit its schema: ${fault?.pointer ?? ''} ${fault?.message ?? ''}`
            const id = module.faults.add(`receive.${name}`, new Error(why))
            answer(refuse('module-failed', describeFailure(module.name, id)))
          }
        }
      }
      ask(module, `receive.${name}`, run, settle)
    },
  }
}

/** Whether a session may use a message with this permission. */
export const mayUse = (rules: Parameters<typeof decidePermission>[0], permission: string, verified: boolean): boolean =>
  decidePermission(rules, permission, { verified, privileged: permission.startsWith('admin.') }).allowed
