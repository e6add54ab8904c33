import type { SettingImpact } from '../compare/config-impact-schema.ts'
import { changesMax } from '../compare/list-changes.ts'
import { findDifferences } from '../compare/list-changes-differences.ts'
import type { ServerConfig } from './server-config.ts'

type Rule = Omit<SettingImpact, 'pointer'>

const newSignIns = (note: string): Rule => ({
  touches: 'nobody',
  note: `${note} Tokens stay valid for their ten minutes, and sessions go on.`,
})
const limit = 'Counts for the next message of every connection.'

const chat = 'Counts for the next line of chat.'

/** What a change of a setting of `server.yaml` does, by the beginning of its pointer; the longest that fits counts. */
export const settingRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['/auth', newSignIns('Counts for sign-ins from then on.')],
  ['/auth/local/registration', { touches: 'nobody', note: 'Counts for those who register from then on.' }],
  [
    '/auth/local/bcryptCost',
    { touches: 'nobody', note: 'Counts for passwords that are set from then on; others keep their hashes.' },
  ],
  ['/http', { touches: 'nobody', note: 'Counts for requests from then on.' }],
  [
    '/http/allowedOrigins',
    { touches: 'newcomers', note: 'Counts for requests and connections from then on; connections that are open stay open.' },
  ],
  ['/http/rateLimits', { touches: 'nobody', note: 'Counts for requests from then on, those of the running minute included.' }],
  [
    '/http/rateLimits/signInPerMinutePerAccount',
    newSignIns('Counts for sign-ins from then on, those of the running minute included.'),
  ],
  [
    '/http/rateLimits/signInPerMinutePerAddress',
    newSignIns('Counts for sign-ins from then on, those of the running minute included.'),
  ],
  [
    '/realtime/admission',
    {
      touches: 'connected',
      note: 'With `permission`, players without `game.join` leave at once, and come in no more; with `everyone`, everybody may.',
    },
  ],
  ['/realtime/motd', { touches: 'newcomers', note: 'Counts for players who come in from then on.' }],
  ['/realtime', { touches: 'connected', note: 'Counts for every connection.' }],
  [
    '/realtime/tickRate',
    { touches: 'connected', note: 'Counts after a restart, at which every connection ends and is made anew.' },
  ],
  [
    '/realtime/maxSessions',
    { touches: 'newcomers', note: 'Counts for players who come from then on; nobody who is in has to leave.' },
  ],
  [
    '/realtime/viewRadius',
    { touches: 'connected', note: 'The furthest that players see: whoever is in sees as far as they wish, up to that.' },
  ],
  ['/realtime/connectTimeoutMs', { touches: 'newcomers', note: 'Counts for connections that are opened from then on.' }],
  ['/realtime/resumeSeconds', { touches: 'connected', note: 'Counts for every connection that is lost from then on.' }],
  ['/realtime/maxMessageBytes', { touches: 'connected', note: limit }],
  ['/realtime/messagesPerSecond', { touches: 'connected', note: limit }],
  ['/realtime/messageBurst', { touches: 'connected', note: limit }],
  [
    '/realtime/outgoingBufferBytes',
    { touches: 'connected', note: 'Counts for every connection; one with more waiting is closed.' },
  ],
  ['/realtime/waitingPerAddress', { touches: 'newcomers', note: 'Counts for connections that are opened from then on.' }],
  ['/realtime/chatBytesPerSecond', { touches: 'connected', note: chat }],
  ['/realtime/chatBytesPerTick', { touches: 'connected', note: chat }],
  ['/audit', { touches: 'nobody', note: 'Counts within ten minutes: the oldest entries beyond it go for good.' }],
])

const anySetting = { touches: 'connected', note: 'Counts from then on.' } as const

const findRule = (pointer: string): Omit<SettingImpact, 'pointer'> => {
  const steps = pointer.split('/')
  for (let length = steps.length; length > 1; length--) {
    const rule = settingRules.get(steps.slice(0, length).join('/'))
    if (rule !== undefined) return rule
  }
  return anySetting
}

/** Each setting of `server.yaml` that changes, whom of the players it touches, and what happens; 500 at most. */
export const listSettingImpacts = (stored: ServerConfig, next: ServerConfig): SettingImpact[] => {
  const pointers = Array.from(findDifferences([stored, next, undefined]), ({ pointer }) => pointer)
  return pointers.slice(0, changesMax).map((pointer) => ({ pointer, ...findRule(pointer) }))
}
