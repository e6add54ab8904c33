import type { Static, TSchema } from '@sinclair/typebox'
import type { Actor } from '../../shared/domain/accounts/actor.ts'
import type { AttemptKind } from '../../shared/domain/auth/sign-in.ts'
import type { PermissionScope } from '../../shared/domain/permissions/account-grant.ts'
import type { RuleSet } from '../../shared/domain/permissions/rules.ts'
import type { TokenRecord } from '../../shared/domain/tokens/tokens.ts'
import type { HttpDeps } from '../deps.ts'

/** Who may call: anyone, anyone with a live token, or a holder of that permission with a verified sign-in. */
export type RoutePermission = 'none' | 'signed-in' | `admin.${string}`

export type Method = 'get' | 'post' | 'put' | 'delete'

/** What every handler knows of its request. */
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
  /** What the caller may do there, grants for that place included; a caller without a token may nothing. */
  rulesAt(place: PermissionScope): RuleSet
  /** By name, as the browser sent them. */
  cookies(): ReadonlyMap<string, string>
  /** A signal that is aborted when the client goes away before its answer is out, for work that takes longer than a read or two. */
  clientGone(): AbortSignal
}

export type Reply = {
  readonly status: number
  /** JSON unless `contentType` says otherwise; absent for 204 and redirects. */
  readonly body?: unknown
  readonly contentType?: string
  /** The same body compressed, by content coding, for clients that take that. */
  readonly encoded?: Readonly<Partial<Record<'br' | 'gzip', Uint8Array>>>
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  /** A strong entity tag without quotes; a matching `If-None-Match` turns a 200 into 304. */
  readonly etag?: string
}

/** An answer that is made while it is sent: no faster than the client reads, and no further once it has gone. */
export type StreamReply = {
  readonly status: number
  readonly contentType: string
  readonly headers?: Readonly<Record<string, string>>
  /** Headers leave with the first piece; what it throws before that is answered as a problem, later it cuts the answer off. */
  readonly pieces: AsyncIterable<string | Uint8Array>
  /** Whether it goes out as gzip to clients that ask for that. */
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
  /** Express syntax: `/api/admin/users/:email`; `/api/admin/configs/*name` takes slashes into the parameter. */
  readonly path: `/${string}`
  readonly permission: P
  /** Of a `signed-in` route under `/api/admin/`: the permission that callers need who own nothing there. Unverified sign-ins are refused. */
  readonly privilege?: `admin.${string}`
  /** Whether it is about the player in its path: a grant for the place where that player is opens it. */
  readonly isAboutPlayer?: true
  /** Whether the `world` of its query is the one that it is about: a grant for that world opens it. */
  readonly isAboutQueriedWorld?: true
  /** One sentence for OpenAPI. */
  readonly summary: string
  readonly params?: Params
  readonly query?: Query
  /** Of pages and what leads to them: links bring keys of their own, such as `utm_source`. Nothing of the query is read. */
  readonly ignoresQuery?: true
  readonly body?: Body
  /** Bytes that a body may have; `bodyBytesDefault` when absent. */
  readonly bodyBytesMax?: number
  /** Browsers are sent there, so who takes HTML is told problems by a page; other callers as ever. */
  readonly isForPeople?: true
  /** Counted by address before anything of the request is read, so that what is refused costs the same as what is not. */
  readonly countedAs?: AttemptKind
  /** Of a body that is text and no JSON: the media types it is taken in; the schema is of a string then. */
  readonly bodyMediaTypes?: readonly string[]
  /** By status: the schema of the body, or a sentence where there is none. */
  readonly responses: Readonly<Record<number, TSchema | string>>
  /** Of answers with a schema that are not JSON: the schema is of one line then. */
  readonly mediaType?: string
  /** What a 200 can be besides, by media type; for OpenAPI. */
  readonly alternatives?: Readonly<Record<string, TSchema>>
  /** Headers of the route's own, for OpenAPI. */
  readonly responseHeaders?: Readonly<Record<string, TSchema>>
  /** Slugs of problems of this route's own, besides those every route has; for OpenAPI. */
  readonly problems?: readonly import('../../shared/kernel/problems/problems.ts').ProblemSlug[]
  readonly handle: (deps: HttpDeps, input: RouteInput<P, Params, Query, Body>) => Answer
}

/** Any route, as a list holds it: inputs are checked against its own schemas before `handle` runs. */
export type Route = Omit<
  RouteDefinition<RoutePermission, TSchema | undefined, TSchema | undefined, TSchema | undefined>,
  'handle'
> & {
  readonly handle: (deps: HttpDeps, input: never) => Answer
}

/** Declares a route; express, checks and OpenAPI are made from it. */
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

/** A 200 whose body is the pieces, one after another. Where answers go out whole (a Lambda), one over 4 MiB is a 413 `answer-too-large`. */
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
