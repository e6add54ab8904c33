import type { Session } from './connection/connect.ts'

/** The type of a value that a TypeBox schema describes. */
type ValueOf<S> = S extends { readonly static: infer V } ? V : undefined

type Messages = Readonly<Record<string, { readonly params: unknown; readonly reply?: unknown }>>
type Pushes = Readonly<Record<string, unknown>>

/** A module of a server, as `defineModule` returns it: only its type is used. */
export type ModuleTypes = { readonly '~declarations': { readonly messages?: Messages; readonly pushes?: Pushes } }

type MessagesOf<M extends ModuleTypes> = NonNullable<M['~declarations']['messages']>
type PushesOf<M extends ModuleTypes> = NonNullable<M['~declarations']['pushes']>
type ReplyOf<D> = D extends { readonly reply: infer S } ? ValueOf<S> : undefined

/** The messages and pushes of one module. */
export type ModuleClient<M extends ModuleTypes> = {
  /**
   * Sends a message and resolves with the reply of the module. Rejects with ModuleRefusedError if it is refused: `code` is
   * `module-rules` for a refusal of the module.
   */
  call<N extends keyof MessagesOf<M> & string>(
    name: N,
    params: ValueOf<MessagesOf<M>[N]['params']>,
    options?: { readonly signal?: AbortSignal },
  ): Promise<ReplyOf<MessagesOf<M>[N]>>
  /** Calls `listen` at each push of that name, until the returned function is called. */
  on<N extends keyof PushesOf<M> & string>(name: N, listen: (body: ValueOf<PushesOf<M>[N]>) => void): () => void
}

/**
 * The messages and pushes of the module `name`, with the types of its declarations:
 * `openModule<typeof shop>(session, 'shop')`, with `import type { shop } from './modules/shop.ts'`. Nothing is sent. A server
 * without that module answers each call with `unknown-message`.
 */
export const openModule = <M extends ModuleTypes>(
  session: Pick<Session, 'callModule' | 'on'>,
  name: string,
): ModuleClient<M> => ({
  // The server has checked both sides against the schemas.
  call: async (message, params, options) => (await session.callModule(name, message, params, options)) as never,
  on: (push, listen) =>
    session.on('modulePush', (pushed) => {
      if (pushed.module === name && pushed.name === push) listen(JSON.parse(new TextDecoder().decode(pushed.body)))
    }),
})
