import { render } from 'preact'
import { App } from './app.tsx'
import { applyTheme } from './shell/theme.ts'
import { beginSession } from './state/session.ts'

applyTheme()
const root = document.querySelector('#app')
if (root !== null) {
  void beginSession()
  render(<App />, root)
}
