/**
 * The pages that are built, each from a folder of its own: `page.html`, in which `{{file}}` stands for the address of a built file, and
 * the files that it names. Code that pages share is split off by itself.
 */
export const pages = [
  {
    name: 'play',
    html: 'play/page.html',
    files: ['play/main.tsx', 'play/too-old.ts', 'play/style.css', 'play/render/meshing/mesh-worker.ts'],
  },
  {
    name: 'console',
    html: 'console/page.html',
    files: ['console/main.tsx', 'console/style.css', 'play/render/meshing/mesh-worker.ts'],
  },
]

/** Where the sources of pages are, for whoever waits for a change. */
export const sourceFolders = ['console', 'play', 'sdk', 'realtime/protocol', 'shared/rules/movement', 'shared/domain/worlds']
