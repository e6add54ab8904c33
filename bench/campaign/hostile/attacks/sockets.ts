import type { Attack } from '../attack.ts'
import {
  connectMessage,
  encode,
  enterGame,
  frame,
  keepOpen,
  opcodes,
  openPlain,
  openUpgraded,
  repeat,
  upgradeHead,
} from '../attack-sockets.ts'

/** Players with a large view who never read. */
export const slowReaders: Attack = {
  name: 'slow-readers',
  run: (ground) => {
    let next = 0
    const open = () => {
      const socket = openUpgraded(ground)
      socket.pause()
      next += 1
      socket.write(frame(opcodes.binary, connectMessage(ground.tokens[next % ground.tokens.length] ?? '')))
      socket.write(frame(opcodes.binary, encode({ $case: 'viewRadius', value: { chunks: 16 } })))
      return socket
    }
    return keepOpen(ground, ground.tokens.length, open)
  },
}

/** Requests with a head that arrives byte by byte. */
export const slowHeads: Attack = {
  name: 'slow-heads',
  run: (ground) => {
    const open = () => {
      const socket = openPlain(ground)
      socket.resume()
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: ')
      return socket
    }
    return keepOpen(ground, 500, open, (socket) => socket.write('a'))
  },
}

/** Bodies that are announced and arrive byte by byte. */
export const slowBodies: Attack = {
  name: 'slow-bodies',
  run: (ground) => {
    const open = () => {
      const socket = openPlain(ground)
      socket.resume()
      socket.write(
        'POST /auth/login HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
      )
      return socket
    }
    return keepOpen(ground, 500, open, (socket) => socket.write(' '))
  },
}

/** Sockets that request an upgrade, never connect, and never close their side. */
export const halfOpen: Attack = {
  name: 'half-open',
  run: (ground) => keepOpen(ground, 300, () => openUpgraded(ground).pause()),
}

/** Thousands of idle sockets. */
export const idleSockets: Attack = {
  name: 'idle-sockets',
  run: (ground) => keepOpen(ground, 2500, () => openUpgraded(ground).resume()),
}

/** Thousands of upgrades, to existing and unknown addresses. */
export const upgrades: Attack = {
  name: 'upgrades',
  run: (ground) =>
    repeat(ground, 50, () => {
      for (let i = 0; i < 40; i += 1) {
        const path = ground.random.pick([
          '/realtime',
          '/',
          '/api/admin/ws/instances/x',
          `/api/admin/ws/instances/${ground.zoneId}`,
        ])
        const socket = openPlain(ground)
        socket.resume()
        socket.write(upgradeHead(path))
        setTimeout(() => socket.destroy(), 200)
      }
    }),
}

/** Players who connect and disconnect at once, repeatedly. */
export const reconnects: Attack = {
  name: 'reconnects',
  run: async (ground) => {
    await Promise.all(ground.tokens.map((token) => repeat(ground, 10, async () => (await enterGame(ground, token))?.terminate())))
  },
}

/** Invalid resume tokens. */
export const forgedResumes: Attack = {
  name: 'forged-resumes',
  run: (ground) =>
    repeat(ground, 20, () => {
      for (let i = 0; i < 10; i += 1) {
        const resumeToken = Array.from({ length: 43 }, () => ground.random.pick([...'abcdefABCDEF0123456789-_'])).join('')
        const value = { token: '', protocolVersion: 1, clientName: 'x', resumeToken }
        const socket = openUpgraded(ground)
        socket.resume()
        socket.write(frame(opcodes.binary, encode({ $case: 'connect', value })))
        setTimeout(() => socket.destroy(), 500)
      }
    }),
}

/** The feed of a zone, with invalid credentials. */
export const feedAbuse: Attack = {
  name: 'feed-abuse',
  run: (ground) =>
    repeat(ground, 20, () => {
      for (let i = 0; i < 10; i += 1) {
        const socket = openPlain(ground)
        socket.resume()
        const bearer = ground.random.pick([...ground.tokens, 'x'.repeat(3000), '00000000-0000-4000-8000-000000000000'])
        const head = upgradeHead(`/api/admin/ws/instances/${ground.zoneId}`)
        socket.write(head.replace('\r\n\r\n', `\r\nAuthorization: Bearer ${bearer}\r\n\r\n`))
        setTimeout(() => socket.destroy(), 500)
      }
    }),
}
