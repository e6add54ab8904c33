import type { SettingImpact } from '../compare/config-impact-schema.ts'

type Rule = Omit<SettingImpact, 'pointer'>

const newSignIns = (note: string): Rule => ({
  touches: 'nobody',
  note: `${note} Existing tokens stay valid for up to ten minutes, and sessions continue.`,
})

const limit = 'Applies to the next message of every connection.'

const chat = 'Applies to the next line of chat.'

/** The effect of changing a setting of `server.yaml`, by the beginning of its pointer; the longest match counts. */
export const settingRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['/server', { touches: 'nobody', note: 'The console shows it within a minute.' }],
  ['/auth', newSignIns('Applies to new sign-ins.')],
  ['/auth/local/registration', { touches: 'nobody', note: 'Applies to new registrations.' }],
  ['/auth/local/bcryptCost', { touches: 'nobody', note: 'Applies to passwords set after the change; others keep their hashes.' }],
  ['/http', { touches: 'nobody', note: 'Applies to new requests.' }],
  [
    '/http/allowedOrigins',
    { touches: 'newcomers', note: 'Applies to new requests and connections; open connections stay open.' },
  ],
  ['/http/rateLimits', { touches: 'nobody', note: 'Applies to new requests; those of the current minute count.' }],
  ['/http/rateLimits/signInPerMinutePerAccount', newSignIns('Applies to new sign-ins; those of the current minute count.')],
  ['/http/rateLimits/signInPerMinutePerAddress', newSignIns('Applies to new sign-ins; those of the current minute count.')],
  [
    '/realtime/admission',
    {
      touches: 'connected',
      note: 'With `permission`, players without `game.join` are disconnected at once and cannot join. With `everyone`, everyone can join.',
    },
  ],
  ['/realtime/motd', { touches: 'newcomers', note: 'Applies to players who join after the change.' }],
  ['/realtime', { touches: 'connected', note: 'Applies to every connection.' }],
  ['/realtime/tickRate', { touches: 'connected', note: 'Applies after a restart, which disconnects every player for a moment.' }],
  [
    '/realtime/maxSessions',
    { touches: 'newcomers', note: 'Applies to players who join after the change; connected players stay.' },
  ],
  [
    '/realtime/viewRadius',
    { touches: 'connected', note: 'The maximum view distance: connected players keep their own choice up to it.' },
  ],
  ['/realtime/connectTimeoutMs', { touches: 'newcomers', note: 'Applies to new connections.' }],
  ['/realtime/resumeSeconds', { touches: 'connected', note: 'Applies to connections lost after the change.' }],
  ['/realtime/maxMessageBytes', { touches: 'connected', note: limit }],
  ['/realtime/messagesPerSecond', { touches: 'connected', note: limit }],
  ['/realtime/messageBurst', { touches: 'connected', note: limit }],
  [
    '/realtime/outgoingBufferBytes',
    { touches: 'connected', note: 'Applies to every connection; those with more waiting bytes are closed.' },
  ],
  ['/realtime/waitingPerAddress', { touches: 'newcomers', note: 'Applies to new connections.' }],
  ['/realtime/chatBytesPerSecond', { touches: 'connected', note: chat }],
  ['/realtime/chatBytesPerTick', { touches: 'connected', note: chat }],
  ['/chat', { touches: 'nobody', note: 'Applies within ten minutes: older lines of chat are deleted permanently.' }],
  [
    '/audit',
    { touches: 'nobody', note: 'Applies within ten minutes: the oldest entries beyond the limits are deleted permanently.' },
  ],
])
