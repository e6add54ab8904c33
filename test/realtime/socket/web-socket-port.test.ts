import { EventEmitter } from 'node:events'
import { describe, expect, it } from '@jest/globals'
import { receiveFrames } from '../../../realtime/socket/web-socket-port.ts'
import { silentStream } from '../../support/realtime/silent-stream.ts'

const open = ({ isOpen }: { readonly isOpen: boolean }) => {
  const stream = silentStream()
  const unfinished: number[] = []
  const answered: string[] = []
  let pauses = 0
  const socket = Object.assign(new EventEmitter(), {
    pong: (data: Buffer) => answered.push(data.toString()),
    pause: () => {
      pauses += 1
    },
  })
  receiveFrames(socket, stream, {
    isOpen: () => isOpen,
    receive: () => {},
    payFor: () => true,
    checkUnfinished: (bytes) => unfinished.push(bytes),
  })
  const arrive = (bytes: number): void => {
    stream.emit('data', Buffer.alloc(bytes))
  }
  return { socket, arrive, unfinished, answered, pauses: () => pauses }
}

describe('receiveFrames', () => {
  it('counts the bytes since the last message, without pings and pongs', () => {
    const { socket, arrive, unfinished } = open({ isOpen: true })
    arrive(100)
    socket.emit('ping', Buffer.alloc(4))
    arrive(10)
    arrive(50)
    socket.emit('message', Buffer.alloc(144), true)
    arrive(20)
    arrive(30)
    expect(unfinished).toEqual([100, 100, 150, 30])
  })

  it('answers pings while the receiver is open', () => {
    const { socket, answered } = open({ isOpen: true })
    socket.emit('ping', Buffer.from('hello'))
    expect(answered).toEqual(['hello'])
  })

  it('stops reading a client that sends more than 1 MiB after it was dismissed', () => {
    const { socket, arrive, answered, unfinished, pauses } = open({ isOpen: false })
    socket.emit('ping', Buffer.from('hello'))
    for (let i = 0; i < 16; i += 1) arrive(65_536)
    expect([answered, unfinished, pauses()]).toEqual([[], [], 0])
    arrive(1)
    expect(pauses()).toBe(1)
  })
})
