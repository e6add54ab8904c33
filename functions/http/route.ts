import type { Static, TSchema } from '@sinclair/typebox'
import type { Actor } from '../../shared/domain/accounts/actor.ts'
import type { AttemptKind } from '../../shared/domain/auth/sign-in.ts'
import type { PermissionScope } from '../../shared/domain/permissions/account-grant.ts'
import type { RuleSet } from '../../shared/domain/permissions/rules.ts'
import type { TokenRecord } from '../../shared/domain/tokens/tokens.ts'
import type { HttpDeps } from '../deps.ts'

/** Allowed callers: anyone, anyone with a live token, or a caller with the permission and a verified sign-in. */
export type RoutePermission = 'none' | 'signed-in' | `admin.${string}`

export type Method = 'get' | 'post' | 'put' | 'delete'

/** Facts of a request for every handler. */
export type RequestFacts = {
  readonly requestId: string
  /** The client's address after `http.trustedProxies` hops. */
  readonly address: string
  /** `If-Match` as one strong entity tag without quotes, if it was sent. */
  readonly ifMatch: string | undefined
  /** The token that authenticated the request, if any. */
  readonly token: string | undefined
  readonly grant: TokenRecord | undefined
  /** The groups that count in the caller's sign-in. */
  groups(): readonly string[]
  /** The caller's permissions at this place, with grants for it. A caller without a token has none. */
  rulesAt(place: PermissionScope): RuleSet
  /** By name, as the browser sent them. */
  cookies(): ReadonlyMap<string, string>
  /**
   * The pieces of the body of a route with `streamsBody`. Read them once. Throws AppError `too-large`, and `invalid` for a body that breaks
   * off or pauses for too long.
   */
  upload(): AsyncIterable<Uint8Array>
  /**
   * A signal that aborts when the client disconnects before its answer is sent, for work that takes longer than a read or two.
   */
  clientGone(): AbortSignal
}

export type Reply = {
  readonly status: number
  /** JSON unless `contentType` is set. Absent for 204 and redirects. */
  readonly body?: unknown
  readonly contentType?: string
  /** The same body compressed, by content coding, for clients that accept it. */
  readonly encoded?: Readonly<Partial<Record<'br' | 'gzip', Uint8Array>>>
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** A strong entity tag without quotes. A matching `If-None-Match` turns a 200 into 304. */
  readonly etag?: string
}

/** An answer that is made while it is sent: no faster than the client reads, and only until it disconnects. */
export type StreamReply = {
  readonly status: number
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
  /** Headers leave with the first piece. An error before that is answered as a problem; a later one cuts the answer off. */
  readonly pieces: AsyncIterable<string | Uint8Array>
  /** Whether to send it as gzip to clients that accept it. */
  readonly compress?: true
}

type Answer = Promise<Reply | StreamReply> | Reply | StreamReply

type Parsed<S extends TSchema | undefined> = S extends TSchema ? Static<S> : undefined

export type RouteInput<
  P extends RoutePermission,
  Params extends TSchema | undefined,
  Query extends TSchema | undefined,
  Body extends TSchema | undefined,
> = {
  readonly params: Parsed<Params>
  readonly query: Parsed<Query>
  readonly body: Parsed<Body>
  readonly actor: P extends 'none' ? undefined : Actor
  readonly request: RequestFacts
}

export type RouteDefinition<
  P extends RoutePermission,
  Params extends TSchema | undefined,
  Query extends TSchema | undefined,
  Body extends TSchema | undefined,
> = {
  readonly method: Method
  /** Express syntax: `/api/admin/users/:email`. In `/api/admin/configs/*name` the parameter may contain slashes. */
  readonly path: `/${string}`
  readonly permission: P
  /**
   * For a `signed-in` route under `/api/admin/`: the permission of callers who do not own the target. Unverified sign-ins are
   * refused.
   */
  readonly privilege?: `admin.${string}`
  /** Whether an API token may not call it: routes of sign-ins and of tokens. */
  readonly notByToken?: true
  /** Whether the route is about the player in its path. A grant for the place of that player then allows it. */
  readonly isAboutPlayer?: true
  /** Whether the route is about the `world` in its query. A grant for that world then allows it. */
  readonly isAboutQueriedWorld?: true
  /** Whether the route is about the `zone` in its body. A grant for that zone then allows it, as a `world` in a body always does. */
  readonly isAboutZoneInBody?: true
  /** Verb and noun, for generated clients: `listZones`. Clients depend on it: never change it. */
  readonly operationId: string
  /** One sentence for OpenAPI. */
  readonly summary: string
  readonly params?: Params
  readonly query?: Query
  /** For pages and redirects to them: links add their own keys, such as `utm_source`. The query is not read. */
  readonly ignoresQuery?: true
  readonly body?: Body
  /** A request without a body is the same as one with `{}`. */
  readonly isBodyOptional?: true
  /** Maximum size of the body in bytes; `bodyBytesDefault` when absent. */
  readonly bodyBytesMax?: number
  /** Browsers are sent here: clients that accept HTML get problems as a page, all others as JSON. */
  readonly isForPeople?: true
  /** Counted by address before the request is read, so that refused requests cost the same. */
  readonly countedAs?: AttemptKind
  /** For a text body instead of JSON: its media types. The schema is then of a string. */
  readonly bodyMediaTypes?: readonly string[]
  /** Whether the handler reads the body piece by piece, from `request.upload()`. Its `body` is then undefined. */
  readonly streamsBody?: true
  /** By status: the schema of the body, or a sentence for an answer without a body. */
  readonly responses: Readonly<Record<number, TSchema | string>>
  /** For answers with a schema that are not JSON. The schema is then of one line. */
  readonly mediaType?: string
  /** Alternative forms of a 200, by media type; for OpenAPI. */
  readonly alternatives?: Readonly<Record<string, TSchema>>
  /** Whether a success has an ETag; a GET then takes `If-None-Match`. For OpenAPI. */
  readonly hasEtag?: true
  /** Headers of this route only, for OpenAPI. */
  readonly responseHeaders?: Readonly<Record<string, TSchema>>
  /** Problems of this route only, besides those of every route; for OpenAPI. */
  readonly problems?: readonly import('../../shared/kernel/problems/problems.ts').ProblemSlug[]
  readonly handle: (deps: HttpDeps, input: RouteInput<P, Params, Query, Body>) => Answer
}

/** Any route, for lists. Inputs are checked against its schemas before `handle` runs. */
export type Route = Omit<
  RouteDefinition<RoutePermission, TSchema | undefined, TSchema | undefined, TSchema | undefined>,
  'handle'
> & {
  readonly handle: (deps: HttpDeps, input: never) => Answer
}

/** Declares a route. Express, checks and OpenAPI are made from it. */
export const route = <
  const P extends RoutePermission,
  Params extends TSchema | undefined = undefined,
  Query extends TSchema | undefined = undefined,
  Body extends TSchema | undefined = undefined,
>(
  definition: RouteDefinition<P, Params, Query, Body>,
): Route => definition

export const ok = (body: unknown, etag?: string): Reply => ({
  status: 200,
  body,
  ...(etag === undefined ? {} : { etag }),
})
export const created = (body: unknown, location: string): Reply => ({
  status: 201,
  body,
  headers: { Location: location },
})
export const noContent: Reply = { status: 204 }

/**
 * A 200 with the pieces as its body, one after another. In a Lambda that cannot stream, one over 4 MiB becomes a 413
 * `answer-too-large`.
 */
export const stream = (
  contentType: string,
  pieces: StreamReply['pieces'],
  headers: StreamReply['headers'] = {},
): StreamReply => ({
  status: 200,
  contentType,
  headers,
  pieces,
})
