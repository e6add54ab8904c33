const style = 'body{font:1rem/1.5 sans-serif;max-width:26rem;margin:12vh auto;color-scheme:light dark}'

/**
 * The token is in the fragment, which browsers do not send. The script removes it from the address bar and posts it to the
 * listener, once.
 */
const script = `
const fields = Object.fromEntries(new URLSearchParams(location.hash.slice(1)))
history.replaceState(null, '', location.pathname)
const hand = async () => {
  if (fields.token === undefined) throw new Error('Open the link that the program shows.')
  const answer = await fetch(location.pathname, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(fields),
  }).catch(() => ({}))
  if (!answer.ok) throw new Error('The program did not take this sign-in; start it again.')
  return 'You are signed in as ' + fields.displayName + '. You may close this page.'
}
hand().catch((error) => error.message).then((text) => {
  document.querySelector('output').textContent = text
})`

/** The page that the browser shows after its return to a program on this machine. */
export const loopbackPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Gatehouse</title>
<link rel="icon" href="data:,">
<style>${style}</style>
</head>
<body>
<h1>Gatehouse</h1>
<output role="status">One moment.</output>
<script>${script}</script>
</body>
</html>
`

const allow = async (text: string): Promise<string> => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
  return `'sha256-${btoa(String.fromCharCode(...digest))}'`
}

/** Only this style and script, and requests to the listener. */
export const createPagePolicy = async (): Promise<string> =>
  [
    "default-src 'none'",
    `style-src ${await allow(style)}`,
    `script-src ${await allow(script)}`,
    "connect-src 'self'",
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
