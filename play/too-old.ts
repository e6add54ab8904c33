// A separate script in a syntax that old browsers can parse. They cannot parse the game, so this script has its own texts.

const lines = [
  'The game has not started.',
  'This browser may be too old. The game needs Safari or iOS 16.4, Chrome or Edge 110, Firefox 115, or newer. Update it, or open this page in another browser.',
  'If it is newer, reload this page.',
]

addEventListener('load', () => {
  const root = document.querySelector('#app')
  // The game renders as soon as it is parsed.
  if (root === null || root.childElementCount > 0) return
  const door = document.createElement('main')
  door.className = 'door'
  const box = document.createElement('div')
  box.className = 'window'
  box.setAttribute('role', 'alert')
  for (const line of lines) {
    const text = document.createElement('p')
    text.textContent = line
    box.append(text)
  }
  door.append(box)
  root.append(door)
})
