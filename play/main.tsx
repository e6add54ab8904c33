import { render } from 'preact'
import { words } from './words.ts'

const root = document.querySelector('#app')
if (root !== null) render(<p>{words.soon}</p>, root)
