import { lookup } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { type LookupFunction, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { proxyUpgrade } from 'httpxy'
import type { ClientAddresses } from '../../shared/domain/auth/client-address.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { closeInTime } from '../socket/refuse-upgrade.ts'

/** The header of an upgrade from another process of Gatehouse, with its world. The upgrade is not passed on again. */
export const passedOnHeader = 'x-gatehouse-passed-on'

const answerTimeoutMs = 1500
const upgradeTimeoutMs = 5000

/** A node pings its clients every 15 s. A connection without traffic for this long has a client that does not read. */
const idleMsMax = 60_000

export type Target = {
  readonly address: string
  /** The value of `passedOnHeader`. Without it the other process may pass the upgrade on again. */
  readonly passedOn?: string
}

/** Connects sockets to other processes while they are open. */
export type UpgradePasser = {
  /**
   * Passes the upgrade on to the first of `targets` that answers, and resolves to true. If none answers, it resolves to false and
   * leaves the socket unchanged. Never rejects.
   */
  passOn(targets: readonly Target[], request: IncomingMessage, socket: Duplex, head: Buffer): Promise<boolean>
  /** Closes all connections that were passed on, at both ends. */
  close(): void
}

/** httpxy keeps the brackets around an IPv6 address, which resolvers do not accept. */
const lookUp: LookupFunction = (hostname, options, found) => lookup(hostname.replace(/^\[(.*)\]$/, '$1'), options, found)

/** Pipes do not end one side when the other is destroyed, and wait forever for a client that does not read. */
const closeTogether = (client: Duplex, target: Socket, idleMs: number): void => {
  const closeTarget = (): void => {
    target.destroySoon()
    // A process that hangs never reads the waiting data.
    closeInTime(target)
  }
  const closeClient = (): void => closeInTime(client.end())
  client.once('close', closeTarget)
  target.once('close', closeClient)
  if (client.destroyed) closeTarget()
  if (target.destroyed) closeClient()
  if (client instanceof Socket) client.setTimeout(idleMs, () => client.destroy())
}

/**
 * A complete request: a hanging process accepts connections without answering, and httpxy would leave the client without an answer.
 */
const askForLife = async (address: string): Promise<void> => {
  const response = await fetch(new URL('/healthz', address), {
    signal: AbortSignal.timeout(answerTimeoutMs),
    redirect: 'manual',
  })
  await response.body?.cancel()
}

/** Connections without traffic for `idleMs` are closed. */
export const createUpgradePasser = (log: Log, clients: Pick<ClientAddresses, 'handOn'>, idleMs = idleMsMax): UpgradePasser => {
  /** Concurrent checks of one address share the answer. */
  const underWay = new Map<string, Promise<boolean>>()
  /** Unreachable addresses that are already in the log. */
  const away = new Set<string>()
  const passed = new Set<Duplex>()

  const isThere = (address: string): Promise<boolean> => {
    const asked =
      underWay.get(address) ??
      askForLife(address)
        .then(
          () => {
            away.delete(address)
            return true
          },
          (cause: unknown) => {
            if (!away.has(address)) log.warn({ err: cause, address }, 'the real-time node does not answer')
            away.add(address)
            return false
          },
        )
        .finally(() => underWay.delete(address))
    underWay.set(address, asked)
    return asked
  }

  return {
    passOn: async (targets, request, socket, head) => {
      for (const { address, passedOn } of targets) {
        if (!(await isThere(address))) continue
        if (socket.destroyed) return true
        clients.handOn(request)
        if (passedOn !== undefined) request.headers[passedOnHeader] = passedOn
        passed.add(socket)
        socket.once('close', () => passed.delete(socket))
        try {
          const options = { xfwd: true, upgradeTimeout: upgradeTimeoutMs, ssl: { lookup: lookUp } }
          closeTogether(socket, await proxyUpgrade(address, request, socket, head, options), idleMs)
        } catch (error) {
          log.debug({ err: error }, 'an upgrade was not accepted')
          // The refusal of the other process may still be in transit.
          closeInTime(socket)
        }
        return true
      }
      return false
    },
    close: () => {
      for (const socket of passed) socket.destroy()
    },
  }
}
