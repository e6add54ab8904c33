import { render } from 'preact'
import { App } from './app.tsx'
import { beginSession } from './state/session.ts'

const root = document.querySelector('#app')
if (root !== null) {
  void beginSession()
  render(<App />, root)
}
