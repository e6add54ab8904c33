import { expect, it } from '@jest/globals'
import { playCommand } from '../../../console/state/next-steps.ts'

it.each([
  ['you@example.com', 'http://127.0.0.1:3000', 'you@example.com', 'http://127.0.0.1:3000'],
  ['o\'neil+"x"@example.com', 'https://play.example.org/game', "'o'\\''neil+\"x\"@example.com'", 'https://play.example.org/game'],
])('gives the command to play as %j at %s, safe to paste into a shell', (email, url, quotedEmail, quotedUrl) => {
  expect(playCommand(email, url)).toBe(`npm run play -- --email ${quotedEmail} --password - --url ${quotedUrl}`)
})
