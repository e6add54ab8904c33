import express from 'express'
import serverless from 'serverless-http'

/** The floor of the cold start bench: only express and serverless-http. */
const app = express()
app.get('/', (_req, res) => {
  res.json({ status: 'ok' })
})

export const handler = serverless(app)
