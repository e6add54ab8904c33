import { describe, expect, it } from '@jest/globals'
import { Registry } from 'prom-client'
import { AppError } from '../../../../shared/kernel/errors.ts'
import { topics } from '../../../../shared/platform/events/event-bus.ts'
import { createServiceMetrics } from '../../../../shared/platform/metrics/service-metrics.ts'

const open = () => {
  const registry = new Registry()
  return { registry, metrics: createServiceMetrics(registry, Object.keys(topics)) }
}

describe('the metrics of both halves', () => {
  it('include operations, errors, commands, sign-ins, events and queued passwords', async () => {
    const { registry, metrics } = open()
    metrics.observeOperation('store', 'get', 0.002)
    metrics.observeOperation('store', 'get', 0.002, new AppError('unavailable', 'service-unavailable', 'Gone.'))
    metrics.observeOperation('chunks', 'putMany', 0.002, new AppError('forbidden', 'missing-permission', 'No.'))
    metrics.observeOperation('tokens', 'issue', 0.002, new Error('ours'))
    metrics.observeRedisCommand('evalsha', 0.002)
    metrics.observeRedisCommand('evalsha', 0.002, new Error('away'))
    metrics.countSignIn('login')
    metrics.countSignIn('login', new AppError('unauthenticated', 'invalid-credentials', 'No.'))
    metrics.countSignIn('oauth', new Error('ours'))
    metrics.countEvent('zones-changed', 'received')
    metrics.watchPasswords(() => 3)
    const text = await registry.metrics()
    for (const line of [
      'gatehouse_storage_seconds_count{port="store",operation="get"} 2',
      'gatehouse_storage_faults_total{port="store",operation="get",kind="unavailable"} 1',
      'gatehouse_storage_faults_total{port="chunks",operation="putMany",kind="refused"} 1',
      'gatehouse_storage_faults_total{port="tokens",operation="issue",kind="fault"} 1',
      'gatehouse_redis_seconds_count{command="evalsha"} 2',
      'gatehouse_redis_faults_total{command="evalsha"} 1',
      'gatehouse_sign_ins_total{kind="login",outcome="ok"} 1',
      'gatehouse_sign_ins_total{kind="login",outcome="invalid-credentials"} 1',
      'gatehouse_sign_ins_total{kind="oauth",outcome="internal-error"} 1',
      'gatehouse_events_total{topic="zones-changed",fate="received"} 1',
      'gatehouse_passwords_waiting 3',
    ])
      expect(text).toContain(`${line}\n`)
  })

  it('exist with 0 from the start, so that the first event is an increase', async () => {
    const text = await open().registry.metrics()
    for (const line of [
      'gatehouse_storage_seconds_count{port="chunks",operation="hasMany"} 0',
      'gatehouse_storage_faults_total{port="store",operation="commit",kind="conflict"} 0',
      'gatehouse_sign_ins_total{kind="renew",outcome="ok"} 0',
      'gatehouse_events_total{topic="account-changed",fate="lost"} 0',
      'gatehouse_passwords_waiting 0',
    ])
      expect(text).toContain(`${line}\n`)
  })
})
