import type { SettingImpact } from '../compare/config-impact-schema.ts'

type Rule = Omit<SettingImpact, 'pointer'>

const newSignIns = (note: string): Rule => ({
  touches: 'nobody',
  note: `${note} Tokens stay valid for their ten minutes, and sessions go on.`,
})
const limit = 'Counts for the next message of every connection.'

/** What a change of a setting of `server.yaml` does, by the beginning of its pointer; the longest that fits counts. */
export const settingRules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['/auth', newSignIns('Counts for sign-ins from then on.')],
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
])
