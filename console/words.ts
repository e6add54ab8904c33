import { words as wordsOfFrame } from './words/of-frame.ts'
import { wordsOfHome } from './words/of-home.ts'
import { wordsOfModules } from './words/of-modules.ts'
import { wordsOfPeople } from './words/of-people.ts'
import { wordsOfPregen } from './words/of-pregen.ts'
import { wordsOfTokens } from './words/of-tokens.ts'
import { wordsOfWork } from './words/of-work.ts'
import { wordsOfWorlds } from './words/of-worlds.ts'

/** The texts of all pages except large ones: the map, the zone editor and the settings have catalogues of their own. */
export const words = {
  ...wordsOfFrame,
  ...wordsOfHome,
  ...wordsOfPeople,
  ...wordsOfPregen,
  ...wordsOfTokens,
  ...wordsOfWork,
  ...wordsOfModules,
  ...wordsOfWorlds,
  claim: {
    title: 'Claim this server',
    lead: 'Create the administrator account. This works once.',
    displayName: 'Display name (optional)',
    playersTitle: 'How do players sign in?',
    players: { password: 'By invitation (recommended)', email: 'Anyone, for testing' },
    playersMore: {
      password: 'New players need an invitation from you, and every player a password.',
      email: 'Anyone who can reach the server plays with any email, without a password.',
    },
    submit: 'Claim server',
  },
  claimed: {
    title: 'This server is yours',
    lead: (name: string, email: string) => `${name} is now the administrator, and signs in with ${email}.`,
    play: 'Play in the browser',
    playHow: 'To play in a terminal, run this in Gatehouse’s folder. It asks for the password:',
    command: 'the command',
    unsaved: 'The server could not write server.yaml, so your choice is not saved. The server’s log says why.',
    isSafe: 'Players need a password. To invite someone, open Accounts in the console.',
    passwordsHow: 'Right now anyone can join with any email and no password. To require one, add to server.yaml:',
    lines: 'the lines',
    passwordsMore: 'Paste this under Settings → server.yaml and save.',
    goOn: 'Open the console',
  },
  exports: {
    saved: (count: number, isCut: boolean): string =>
      isCut
        ? `Saved the newest ${count} rows. Narrow the filters for older rows.`
        : `Saved ${count === 1 ? '1 row' : `${count} rows`}.`,
    clearFilters: 'Clear filters',
  },
  audit: {
    actor: 'Actor',
    change: 'Change',
    details: 'Details',
    target: 'Target',
    at: 'Time',
    via: 'Source',
    search: 'Search name, email or action',
    recent: 'Recent time',
    moreFilters: 'More filters',
    lasts: { '1h': 'Last hour', '1d': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' },
    from: 'From',
    to: 'To',
    operator: 'Command line',
    counted: (count: number, isWhole: boolean): string =>
      isWhole && count === 1 ? '1 entry' : `${count}${isWhole ? '' : ' or more'} entries`,
    filterActor: 'Actor',
    filterActorHint: 'Email, or “operator”.',
    filterTarget: 'Target',
    filterTargetHint: 'Email, file name or ID.',
    filterRequest: 'Request ID',
    filterRequestHint: 'From the details of an entry.',
    undoes: 'Undoes',
    nothing: 'No matching entries.',
    before: 'Before',
    after: 'After',
    absent: 'nothing',
    request: 'Request',
    show: (action: string) => `Details of ${action}`,
  },
} as const
