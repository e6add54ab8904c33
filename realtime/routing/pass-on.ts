import { lookup } from 'node:dns'
import type { IncomingMessage } from 'node:http'
import { type LookupFunction, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { proxyUpgrade } from 'httpxy'
import type { ClientAddresses } from '../../shared/domain/auth/client-addresses.ts'
import type { Log } from '../../shared/kernel/log.ts'
import { closeInTime } from '../socket/refuse-upgrade.ts'

/** Of an upgrade that another process of Gatehouse passed on: the world that it is for. It is passed on no further. */
export const passedOnHeader = 'x-gatehouse-passed-on'

const answerTimeoutMs = 1500
const upgradeTimeoutMs = 5000

/** A node asks its clients for a sign of life every 15 s: where nothing moves for so long, the client does not even read. */
const idleMsMax = 60_000

export type Target = {
  readonly address: string
  /** The value of `passedOnHeader`; without it the other may pass the upgrade on again. */
  readonly passedOn?: string
}

/** Hands sockets over to another process, for as long as they are open. */
export type UpgradePasser = {
  /**
   * Passes the upgrade on to the first of `targets` that answers anything at all, and resolves to true. When none does it resolves to
   * false, and the socket is as it was. Never rejects.
   */
  passOn(targets: readonly Target[], request: IncomingMessage, socket: Duplex, head: Buffer): Promise<boolean>
  /** Cuts what was passed on, at both ends. */
  close(): void
}

/** httpxy leaves an IPv6 address in the brackets of its URL, which no resolver knows. */
const lookUp: LookupFunction = (hostname, options, found) => lookup(hostname.replace(/^\[(.*)\]$/, '$1'), options, found)

/** Pipes end neither side when the other is destroyed, and wait for ever for a client that does not read. */
const closeTogether = (client: Duplex, target: Socket, idleMs: number): void => {
  const closeTarget = (): void => {
    target.destroySoon()
    // A node that stands still never takes what waits for it.
    closeInTime(target)
  }
  const closeClient = (): void => closeInTime(client.end())
  client.once('close', closeTarget)
  target.once('close', closeClient)
  if (client.destroyed) closeTarget()
  if (target.destroyed) closeClient()
  if (client instanceof Socket) client.setTimeout(idleMs, () => client.destroy())
}

/** One whole exchange: a process that stands still takes connections and answers none, and httpxy would leave its client without an answer. */
const askForLife = async (address: string): Promise<void> => {
  const response = await fetch(new URL('/healthz', address), {
    signal: AbortSignal.timeout(answerTimeoutMs),
    redirect: 'manual',
  })
  await response.body?.cancel()
}

/** Connections on which nothing moves for `idleMs` are cut. */
export const createUpgradePasser = (log: Log, clients: Pick<ClientAddresses, 'handOn'>, idleMs = idleMsMax): UpgradePasser => {
  /** Those who ask at the same time share the answer. */
  const underWay = new Map<string, Promise<boolean>>()
  /** Addresses whose absence the log tells of already. */
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
            if (!away.has(address)) log.warn({ err: cause, address }, 'the real-time node is away')
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
          log.debug({ err: error }, 'an upgrade was not taken')
          // What the other refused it with may still be on its way.
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
