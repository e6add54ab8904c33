import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { systemClock } from '../../../../shared/kernel/clock.ts'
import { createAgones, startAgones } from '../../../../shared/platform/process/agones.ts'
import { startAgonesSidecar } from '../../../support/containers/agones-sidecar.ts'
import { createFixedClock, type FixedClock } from '../../../support/time/fixed-clock.ts'
import { silentLog } from '../../../support/time/silent-log.ts'
import { waitFor } from '../../../support/time/wait-for.ts'

let sidecar: Awaited<ReturnType<typeof startAgonesSidecar>>
let clock: FixedClock
let sessions: number
beforeEach(async () => {
  sidecar = await startAgonesSidecar()
  clock = createFixedClock()
  sessions = 0
})
afterEach(() => sidecar.stop())

const create = () => createAgones({ port: sidecar.port, countSessions: () => sessions, clock, log: silentLog })

describe('what Agones is told of a node', () => {
  it('is that it lives, each time, and once that it is ready', async () => {
    const agones = create()
    await agones.step()
    await agones.step()
    expect(sidecar.countSignsOfLife()).toBe(2)
    expect(sidecar.takeStates()).toEqual(['ready'])
  })

  it('is that it is allocated while somebody plays on it, and ready again half a minute after the last one left', async () => {
    const agones = create()
    await agones.step()
    sessions = 2
    await agones.step()
    await agones.step()
    expect(sidecar.takeStates()).toEqual(['ready', 'allocate'])
    sessions = 0
    clock.advance(29_999)
    await agones.step()
    expect(sidecar.takeStates()).toEqual([])
    clock.advance(1)
    await agones.step()
    expect(sidecar.takeStates()).toEqual(['ready'])
  })

  it('stays as somebody else allocated it while nobody has played on it', async () => {
    const agones = create()
    await agones.step()
    expect(sidecar.takeStates()).toEqual(['ready'])
    clock.advance(3_600_000)
    await agones.step()
    expect(sidecar.takeStates()).toEqual([])
  })

  it('is told again until the sidecar takes it, which may start later or answer with a fault', async () => {
    const { port } = sidecar
    await sidecar.stop()
    const agones = createAgones({ port, countSessions: () => 1, clock, log: silentLog })
    await agones.step()
    sidecar = await startAgonesSidecar(port)
    sidecar.answer(500)
    await agones.step()
    expect(sidecar.takeStates()).toEqual([])
    sidecar.answer(200)
    await agones.step()
    expect(sidecar.takeStates()).toEqual(['allocate'])
  })

  it('is that it is on its way out, last of all, and nothing after', async () => {
    const agones = startAgones({ port: sidecar.port, countSessions: () => sessions, clock: systemClock, log: silentLog })
    await waitFor(() => sidecar.countSignsOfLife() > 0)
    await agones.close()
    expect(sidecar.takeStates()).toEqual(['ready', 'shutdown'])
    await agones.close()
    expect(sidecar.countSignsOfLife()).toBe(0)
  })

  it('keeps nobody from stopping while there is no sidecar', async () => {
    const { port } = sidecar
    await sidecar.stop()
    await expect(startAgones({ port, countSessions: () => 0, clock, log: silentLog }).close()).resolves.toBeUndefined()
    sidecar = await startAgonesSidecar()
  })
})
