/**
 * The pages, each from a separate folder: `page.html`, in which `{{file}}` is replaced by the address of a built file, and the
 * files that it names. Shared code is split off automatically.
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

/** The source folders of pages, to watch for changes. */
export const sourceFolders = ['console', 'play', 'sdk', 'realtime/protocol', 'shared/rules/movement', 'shared/domain/worlds']
