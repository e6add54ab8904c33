import { ClientMessage } from '../../../../realtime/protocol/generated/gatehouse.ts'
import type { Random } from '../../random.ts'
import type { FuzzKind } from '../fuzz-kind.ts'
import { mutateBytes, mutateText, mutateValue } from '../mutate.ts'
import { asUtf8, oddNumber, oddText } from '../odd-values.ts'
import { binaryPlayers, textPlayers } from '../target.ts'

type Kind = NonNullable<ClientMessage['kind']>

const coordinate = (random: Random): number =>
  random.pick([random.int(-40, 40), random.int(-40, 40), oddNumber(random), Number.NaN, Number.POSITIVE_INFINITY])
const whole = (random: Random): number => random.int(-(2 ** 31), 2 ** 31 - 1)
const count = (random: Random): number => random.int(0, random.chance(0.2) ? 2 ** 32 - 1 : 40)

const edit = (random: Random) => {
  const at = () => (random.chance(0.9) ? random.int(-8, 80) : whole(random))
  return { x: at(), y: at(), z: at(), type: random.pick(['stone', 'air', 'planks', 'unknown', oddText(random)]) }
}

const makers: readonly ((random: Random) => Kind)[] = [
  (random) => ({
    $case: 'connect',
    value: {
      token: oddText(random),
      protocolVersion: count(random),
      clientName: oddText(random),
      ...(random.chance(0.5) && { resumeToken: oddText(random) }),
    },
  }),
  (random) => ({
    $case: 'move',
    value: {
      seq: count(random),
      x: coordinate(random),
      y: coordinate(random),
      z: coordinate(random),
      yaw: Math.fround(coordinate(random)),
      pitch: Math.fround(coordinate(random)),
    },
  }),
  (random) => ({
    $case: 'editBlocks',
    value: { seq: count(random), edits: Array.from({ length: random.int(0, random.chance(0.1) ? 400 : 6) }, () => edit(random)) },
  }),
  (random) => ({
    $case: 'chat',
    value: { text: asUtf8(oddText(random)), ...(random.chance(0.3) && { channel: asUtf8(oddText(random)) }) },
  }),
  (random) => ({ $case: 'command', value: { seq: count(random), text: asUtf8(`/${oddText(random)}`) } }),
  (random) => ({
    $case: 'preferences',
    value: {
      disabledCommands: random.chance(0.2)
        ? undefined
        : { names: Array.from({ length: random.int(0, 30) }, () => oddText(random)) },
    },
  }),
  (random) => ({ $case: 'viewRadius', value: { chunks: count(random) } }),
  (random) => ({ $case: 'ping', value: { nonce: count(random) } }),
  () => ({ $case: 'disconnect', value: {} }),
]

const binary = (random: Random): Buffer => {
  const bytes = Buffer.from(ClientMessage.encode({ kind: random.pick(makers)(random) }).finish())
  if (random.chance(0.03)) return Buffer.concat(Array.from({ length: 200 }, () => bytes))
  return random.chance(0.6) ? mutateBytes(random, bytes) : bytes
}

const text = (random: Random): string => {
  const value = ClientMessage.toJSON({ kind: random.pick(makers)(random) })
  const written = JSON.stringify(random.chance(0.6) ? mutateValue(random, value) : value)
  return random.chance(0.3) ? mutateText(random, written) : written
}

/** Messages of players, in protobuf and in JSON, valid and broken, before and after Connect. */
export const frames: FuzzKind = {
  name: 'frames',
  weight: 18,
  make: (random) => {
    const isBinary = random.chance(0.6)
    const frame = isBinary ? binary(random).toString('latin1') : Buffer.from(text(random)).toString('latin1')
    return {
      kind: isBinary ? 'binary' : 'text',
      as: random.chance(0.9) ? random.pick(isBinary ? binaryPlayers : textPlayers) : '',
      '?frame': frame,
    }
  },
  send: async ({ kind, as = '', '?frame': frame = '' }, { sockets, tokenOf }) => {
    const purpose = { name: `player ${as === '' ? kind : as}`, path: '/realtime', token: tokenOf(as) }
    try {
      return { seen: await sockets.exchange(purpose, Buffer.from(frame, 'latin1'), kind === 'binary') }
    } catch (error) {
      return { seen: 'silent', fault: String(error) }
    }
  },
}
