import { render } from 'preact'
import { App } from './shell/app.tsx'
import { beginSession } from './state/session.ts'
import { applyTheme } from './state/theme.ts'

applyTheme()
const root = document.querySelector('#app')
if (root !== null) {
  void beginSession()
  render(<App />, root)
}
