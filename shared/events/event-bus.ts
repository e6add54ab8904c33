import { type Static, Type } from '@sinclair/typebox'

/** Every topic and the shape of its events; a new topic is one line here. */
export const topics = {
  /** Groups, name or password of an account changed, or it was created. */
  'account-changed': Type.Object({
    playerId: Type.String(),
    email: Type.String(),
  }),
  'account-removed': Type.Object({
    playerId: Type.String(),
    email: Type.String(),
  }),
  /** A logout; live sessions opened by any token of this sign-in end. */
  'sign-in-ended': Type.Object({
    playerId: Type.String(),
    signInId: Type.String(),
  }),
  /** Configs were read again somewhere; everybody else does the same. */
  'configs-reloaded': Type.Object({ names: Type.Array(Type.String()) }),
  /** A zone of that world was created, changed or deleted. */
  'zones-changed': Type.Object({ world: Type.String(), zoneId: Type.String() }),
} as const

export type Topic = keyof typeof topics
export const isTopic = (name: string): name is Topic => Object.hasOwn(topics, name)
export type EventOf<T extends Topic> = Static<(typeof topics)[T]>
export type EventHandler<T extends Topic> = (event: EventOf<T>) => void | Promise<void>

/** At most once, to every subscriber in every process, the publisher's own included. A handler that throws is logged and disturbs nobody. */
export type EventBus = {
  /** Never rejects: a lost event is logged, and the version checks make up for it. */
  publish<T extends Topic>(topic: T, event: EventOf<T>): Promise<void>
  /** Resolves when deliveries begin; the returned function ends them. */
  subscribe<T extends Topic>(topic: T, handler: EventHandler<T>): Promise<() => void>
  close(): Promise<void>
}
