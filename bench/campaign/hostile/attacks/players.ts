import type { Attack } from '../attack.ts'
import { asPlayers, encode } from '../attack-sockets.ts'

/** Edits of the maximum size, far out of reach. */
export const farEdits: Attack = {
  name: 'far-edits',
  run: (ground) =>
    asPlayers(ground, 100, (socket, turn) => {
      const edits = Array.from({ length: 256 }, (_, i) => ({ x: 1_000_000 + i, y: 100, z: turn, type: 'stone' }))
      socket.send(encode({ $case: 'editBlocks', value: { seq: turn, edits } }))
    }),
}

/** Moves across the world, at and above the maximum rate. */
export const fastMoves: Attack = {
  name: 'fast-moves',
  run: (ground) =>
    asPlayers(ground, 14, (socket, turn) => {
      const at = () => ground.random.int(-30_000_000, 29_999_999)
      socket.send(encode({ $case: 'move', value: { seq: turn, x: at(), y: 70, z: at(), yaw: 0, pitch: 0 } }))
    }),
}

/** Chat of the maximum length, at and above the maximum rate. */
export const chatFlood: Attack = {
  name: 'chat-flood',
  run: (ground) => asPlayers(ground, 14, (socket) => socket.send(encode({ $case: 'chat', value: { text: 'é'.repeat(512) } }))),
}

/** Unknown commands, for which the server searches the nearest name. */
export const commandFlood: Attack = {
  name: 'command-flood',
  run: (ground) =>
    asPlayers(ground, 30, (socket, turn) =>
      socket.send(encode({ $case: 'command', value: { seq: turn, text: `/${'q'.repeat(500)}` } })),
    ),
}
