import { render } from 'preact'
import { canRun } from './state/can-run.ts'
import { App } from './ui/app.tsx'
import { words } from './words.ts'

const root = document.querySelector('#app')

/** Reports our own faults, so that the page never freezes silently. */
const tell = (text: string): void => {
  // One, however often a fault comes back.
  document.querySelector('.fault')?.remove()
  const box = document.createElement('p')
  box.className = 'fault'
  box.setAttribute('role', 'alert')
  box.addEventListener('click', () => box.remove())
  box.textContent = /out of memory|allocation failed|array buffer length/i.test(text)
    ? words.errors.memory
    : `${words.errors.broken} ${text}`
  document.body.append(box)
}
addEventListener('error', ({ message }) => tell(message))
addEventListener('unhandledrejection', ({ reason }) => tell(words.describe(reason)))

// Where it cannot, too-old.ts says so in the empty page.
if (root !== null && canRun()) render(<App />, root)
