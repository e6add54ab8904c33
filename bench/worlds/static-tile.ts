import express from 'express'

/** The reference of a warm tile: the static files of express. Argument: the folder. */
const app = express()
app.use(express.static(process.argv[2] ?? ''))
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address()
  process.send?.({ ready: typeof address === 'object' ? address?.port : 0 })
})
process.on('disconnect', () => process.exit(0))
