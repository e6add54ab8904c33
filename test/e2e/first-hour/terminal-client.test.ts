import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import type { Child } from '../support/child.ts'
import { administrator, createStage, type Server } from '../support/stage.ts'

const stage = createStage()
let dataDir: string
let server: Server
let boss: Child
let friend: Child

beforeAll(async () => {
  dataDir = await stage.createDataDir()
  server = await stage.start({ DATA_DIR: dataDir })
  await stage.claim(server)
  boss = stage.play(server.url, administrator)
  friend = stage.play(server.url, { email: 'friend@example.com' })
  await Promise.all([boss.shows('* Welcome to default, boss.'), friend.shows('* Welcome to default, friend.')])
})
afterAll(() => stage.close())

/** Types a line and waits for its answer. */
const type = async (player: Child, line: string, answer: string | RegExp): Promise<void> => {
  player.write(`${line}\n`)
  await player.shows(answer)
}

describe('the terminal client against a running server', () => {
  it('shows the allowed commands, the players in the game, and the new position after a walk', async () => {
    await type(boss, '/help', /^\/rbac:setgroup <email>/m)
    await type(boss, '/who', /^2 players in the game: .*friend \(friend@example\.com\)/m)
    await type(friend, '/who', /^2 players in the game: (boss, friend|friend, boss)$/m)
    await type(friend, '/help', /^\/help/m)
    expect(friend.stdout()).not.toContain('/rbac:setgroup')
    // The spawn depends on the world, and the second player appears next to the first.
    await type(friend, '/walk east 1', /^\* You are at \d+\.5 64 \d+\.5\./m)
    await boss.shows(/\* Near: friend \(\d blocks? [a-z-]+\)/)
  })

  it('sends a line of chat to the other player', async () => {
    await type(friend, 'good morning', '<friend> good morning')
    await boss.shows('<friend> good morning')
  })

  it('refuses privileged commands without the permission, or without the password', async () => {
    await type(friend, '/rbac:setgroup friend@example.com admin', '! You do not have access to /rbac:setgroup.')
    await type(boss, '/adduser second@example.com "a good password" Second admin', /^Added Second/m)
    const impostor = stage.play(server.url, { email: 'second@example.com' })
    await impostor.shows('Welcome')
    await type(
      impostor,
      '/rbac:setgroup friend@example.com admin',
      '! /rbac:setgroup needs a sign-in by password or identity provider.',
    )
    impostor.endInput()
    expect(await impostor.ended).toBe(0)
  })

  it('answers /rbac:setgroup and notifies the affected player at once', async () => {
    await type(boss, '/rbac:setgroup friend@example.com builder', 'friend is now in player, builder.')
    await friend.shows('* Your groups are now: player, builder.')
    await type(boss, '/why friend@example.com zone.build', /zone\.build.*builder/)
  })

  it('applies an edit of groups.yaml to the live session with /reload', async () => {
    await type(friend, '/say one', '! You do not have access to /say.')
    const groups = join(dataDir, 'config', 'groups.yaml')
    await writeFile(groups, (await readFile(groups, 'utf8')).replace('- command.tp', '- command.tp\n      - command.say'))
    await type(boss, '/reload', /^Reloaded: .*groups\.yaml/m)
    await type(friend, '/say two', /two/)
    await boss.shows(/two/)
  })

  it('refuses a broken groups.yaml at /reload with its line, and keeps all permissions', async () => {
    const groups = join(dataDir, 'config', 'groups.yaml')
    const good = await readFile(groups, 'utf8')
    await writeFile(groups, good.replace('inherits: [player]', 'inherits: [player'))
    const shownBefore = boss.stdout().length
    await type(boss, '/reload', /the last valid version stays active: groups\.yaml\s+line \d+, column \d+/)
    expect(boss.stdout().slice(shownBefore)).not.toContain(dataDir)
    await type(friend, '/say still here', /still here/)
    await writeFile(groups, good)
  })

  it('keeps /command:disable across a restart of the server', async () => {
    await type(friend, '/command:disable who', /who/)
    await type(friend, '/who', /! .*switched off/)
    server.signal('SIGTERM')
    expect(await server.ended).toBe(0)
    await friend.shows('The server is shutting down.')

    server = await stage.start({ DATA_DIR: dataDir })
    const again = stage.play(server.url, { email: 'friend@example.com' })
    await again.shows('Welcome')
    again.endInput('/who\n/command:enable who\n/who\n')
    expect(await again.ended).toBe(0)
    expect(again.stdout()).toMatch(/! .*switched off[\s\S]*1 player in the game: friend/)
  })

  it('shows a kicked player the reason, and exits with 1', async () => {
    const guest = stage.play(server.url, { email: 'guest@example.com' })
    const chief = stage.play(server.url, administrator)
    await Promise.all([guest.shows('Welcome'), chief.shows('Welcome')])
    await type(chief, '/kick guest enough for today', 'Kicked "guest".')
    expect(await guest.ended).toBe(1)
    expect(guest.stderr()).toContain('enough for today')
  })
})
