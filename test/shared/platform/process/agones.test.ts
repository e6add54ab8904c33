import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { systemClock } from '../../../../shared/kernel/clock.ts'
import { startAgones } from '../../../../shared/platform/process/agones.ts'
import { createAgones } from '../../../../shared/platform/process/agones-reports.ts'
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

describe('the reports of a node to Agones', () => {
  it('include each sign of life, and ready once', async () => {
    const agones = create()
    await agones.step()
    await agones.step()
    expect(sidecar.countSignsOfLife()).toBe(2)
    expect(sidecar.takeStates()).toEqual(['ready'])
  })

  it('include allocated while players are connected, and ready half a minute after the last one', async () => {
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

  it('keep an allocation by another client while there are no players', async () => {
    const agones = create()
    await agones.step()
    expect(sidecar.takeStates()).toEqual(['ready'])
    clock.advance(3_600_000)
    await agones.step()
    expect(sidecar.takeStates()).toEqual([])
  })

  it('are repeated until the sidecar accepts them, even if it starts later or fails', async () => {
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

  it('include shutdown, last of all', async () => {
    const agones = startAgones({ port: sidecar.port, countSessions: () => sessions, clock: systemClock, log: silentLog })
    await waitFor(() => sidecar.countSignsOfLife() > 0)
    await agones.close()
    expect(sidecar.takeStates()).toEqual(['ready', 'shutdown'])
    await agones.close()
    expect(sidecar.countSignsOfLife()).toBe(0)
  })

  it('do not delay a stop without a sidecar', async () => {
    const { port } = sidecar
    await sidecar.stop()
    await expect(startAgones({ port, countSessions: () => 0, clock, log: silentLog }).close()).resolves.toBeUndefined()
    sidecar = await startAgonesSidecar()
  })
})
