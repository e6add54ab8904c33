/** Outlines in a square of 24 units, drawn with round lines. */
const outlines = {
  overview: 'M4 13a8 8 0 0 1 16 0M12 13l3.5-4M4 17h16',
  people: 'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM3 20a6 6 0 0 1 12 0M16 4.6a3.5 3.5 0 0 1 0 5.8M18 14.6a6 6 0 0 1 3 5.4',
  groups: 'M12 3l8 3v5c0 5-3.5 8.5-8 10-4.5-1.5-8-5-8-10V6l8-3ZM9 11.5l2.2 2.2L15.2 9.7',
  players:
    'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20a7.5 7.5 0 0 1 8-6.4M17.5 21a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM17.5 17.5h.01',
  moderation: 'M13.5 4.5l6 6M16.5 7.5l-8 8M10.5 7.5l6 6M12 6l3-3M18 12l3-3M8.5 15.5l-4 4M4 21h9',
  map: 'M9 4L3.5 6v14L9 18l6 2 5.5-2V4L15 6 9 4ZM9 4v14M15 6v14',
  worlds:
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM3 12h18M12 3c2.6 2.6 3.8 5.6 3.8 9s-1.2 6.4-3.8 9c-2.6-2.6-3.8-5.6-3.8-9S9.4 5.6 12 3Z',
  backups: 'M4 4h16v5H4zM5.5 9v11h13V9M10 13h4',
  configs: 'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5Z',
  console: 'M4 5h16v14H4zM7.5 9.5l3 2.5-3 2.5M12.5 15h4',
  modules: 'M12 3l8 4.5v9L12 21l-8-4.5v-9L12 3ZM4 7.5l8 4.5 8-4.5M12 12v9',
  jobs: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM12 7v5l3.5 2',
  audit: 'M6 3h9l4 4v14H6zM14.5 3v4.5H19M9.5 12h6M9.5 16h6',
  tokens: 'M8 18a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM11 11l8.5-7.5M16 6.5l2.5 2.5',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM16 16l4.5 4.5',
  help: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18ZM9.5 9.3a2.6 2.6 0 1 1 3.7 2.4c-.8.4-1.2.9-1.2 1.8M12 16.5h.01',
  play: 'M7 4.5v15l12-7.5-12-7.5Z',
  docs: 'M4 5.5c3-1.2 5.5-1 8 .8 2.5-1.8 5-2 8-.8v13c-3-1.2-5.5-1-8 .8-2.5-1.8-5-2-8-.8v-13ZM12 6.3v13',
  signOut: 'M14 4H5v16h9M10 12h11M17.5 8.5L21 12l-3.5 3.5',
  menu: 'M4 7h16M4 12h16M4 17h16',
  more: 'M5.5 12h.01M12 12h.01M18.5 12h.01',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5a7.5 7.5 0 0 1 15 0',
  zone: 'M4 8V4h4M16 4h4v4M20 16v4h-4M8 20H4v-4M9 9h6v6H9z',
  light:
    'M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M18.7 5.3l-1.4 1.4M6.7 17.3l-1.4 1.4',
  dark: 'M20 14.5A8.5 8.5 0 0 1 9.5 4 8.5 8.5 0 1 0 20 14.5Z',
  system: 'M3.5 5h17v11h-17zM9 20h6M12 16v4',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  cross: 'M6 6l12 12M18 6L6 18',
  dash: 'M7 12h10',
  warning: 'M12 4l9 16H3l9-16ZM12 10v4.5M12 17.3h.01',
  download: 'M12 4v11M7.5 10.5L12 15l4.5-4.5M5 20h14',
  up: 'M12 19V6M6.5 11L12 5.5 17.5 11',
  down: 'M12 5v13M6.5 13l5.5 5.5 5.5-5.5',
  open: 'M9 5.5l6.5 6.5L9 18.5',
} as const

export type IconName = keyof typeof outlines

/** An icon in the colour of the text. Decorative without a `label`. */
export const Icon = ({ name, label }: { readonly name: IconName; readonly label?: string }) => (
  <svg
    class={name === 'more' ? 'icon dots' : 'icon'}
    viewBox="0 0 24 24"
    role={label === undefined ? undefined : 'img'}
    aria-label={label}
    aria-hidden={label === undefined}
  >
    <path d={outlines[name]} />
  </svg>
)
