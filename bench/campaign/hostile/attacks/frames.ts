import type { Attack } from '../attack.ts'
import { asPlayers, connectMessage, encode, frame, keepOpen, opcodes, openUpgraded } from '../attack-sockets.ts'

const many = (piece: Buffer, count: number): Buffer => Buffer.concat(Array.from({ length: count }, () => piece))

/** Thousands of control frames from connected players. */
const floodOf = (name: string, opcode: number): Attack => {
  const burst = many(frame(opcode, Buffer.alloc(0)), 2000)
  return {
    name,
    run: (ground) => {
      let next = 0
      const open = () => {
        const socket = openUpgraded(ground)
        socket.resume()
        next += 1
        socket.write(frame(opcodes.binary, connectMessage(ground.tokens[next % ground.tokens.length] ?? '')))
        return socket
      }
      return keepOpen(ground, ground.tokens.length, open, (socket) => socket.write(burst))
    },
  }
}

export const pings = floodOf('pings', opcodes.ping)
export const pongs = floodOf('pongs', opcodes.pong)

/** Pings between the fragments of an endless message, before Connect. */
export const fragments: Attack = {
  name: 'fragments',
  run: (ground) => {
    const part = Buffer.concat([frame(opcodes.part, Buffer.alloc(8_000), false), frame(opcodes.ping, Buffer.alloc(0))])
    const open = () => {
      const socket = openUpgraded(ground)
      socket.resume()
      socket.write(frame(opcodes.binary, Buffer.alloc(10), false))
      return socket
    }
    return keepOpen(ground, 300, open, (socket) => socket.write(part))
  },
}

/** Messages of an empty Ping as fast as the socket takes them. */
export const messages: Attack = {
  name: 'messages',
  run: (ground) =>
    asPlayers(ground, 20, (socket, turn) => {
      for (let i = 0; i < 400; i += 1) socket.send(encode({ $case: 'ping', value: { nonce: turn } }))
    }),
}

/** Frames above the size limit. */
export const giants: Attack = {
  name: 'giants',
  run: (ground) => asPlayers(ground, 100, (socket) => socket.send(Buffer.alloc(1_900_000, 1))),
}

/** Invalid frames, and messages of another version. */
export const wrongProtocol: Attack = {
  name: 'wrong-protocol',
  run: (ground) => {
    const version = frame(
      opcodes.binary,
      encode({ $case: 'connect', value: { token: '', protocolVersion: 99, clientName: 'x' } }),
    )
    return keepOpen(
      ground,
      100,
      () => openUpgraded(ground),
      (socket) => {
        socket.resume()
        socket.write(
          ground.random.pick([
            version,
            Buffer.alloc(64, 0xff),
            Buffer.from('GET / HTTP/1.1\r\n\r\n'),
            frame(5, Buffer.alloc(10)),
          ]),
        )
      },
    )
  },
}
