import { Registry } from 'prom-client'
import { createHttpMetrics } from '../../functions/http/metrics.ts'
import { createRealtimeMetrics } from '../../realtime/metrics/realtime-metrics.ts'
import { metricLabels } from '../../realtime/node/metric-labels.ts'
import { topics } from '../../shared/platform/events/event-bus.ts'
import { createServiceMetrics } from '../../shared/platform/metrics/service-metrics.ts'

type Listed = { readonly name: string; readonly type: unknown; readonly help: string }

const labelsOf = (metric: object): string => {
  const names: unknown = 'labelNames' in metric ? metric.labelNames : []
  return Array.isArray(names) && names.length > 0 ? names.map((name) => `\`${name}\``).join(', ') : '–'
}

/** The metrics that `count` registers, by name. */
const listRows = (count: (registry: Registry) => unknown): string[] => {
  const registry = new Registry()
  count(registry)
  const metrics: readonly Listed[] = registry.getMetricsAsArray()
  return [...metrics]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((metric) => `| \`${metric.name}\` | ${metric.type} | ${labelsOf(metric)} | ${metric.help} |`)
}

const table = (rows: readonly string[]): string[] => ['| Name | Type | Labels | Meaning |', '|---|---|---|---|', ...rows, '']

/** The text of `docs/metrics.md`: every metric of our own, from the registries that processes serve. */
export const createMetricsPage = (): string =>
  [
    '# Metrics',
    '',
    'Made from the registries of the code by `npm run generate`; do not edit.',
    '',
    'Each process serves its metrics for Prometheus at `/metrics` on `METRICS_PORT` of `METRICS_HOST`, separate from the public port. Label values are names of routes, operations, commands, topics, codes and slugs: no client can create a new one. Known label values start at 0. `npm start` runs both halves in one process and has all metrics. [The dashboard](../infra/grafana/gatehouse.json) shows them in Grafana: import it and choose the data source.',
    '',
    '## In every process',
    '',
    ...table(listRows((registry) => createServiceMetrics(registry, Object.keys(topics)))),
    'The metrics of Node come from [prom-client](https://github.com/siimon/prom-client): `process_…` (processor, memory) and `nodejs_…`. Watch `nodejs_eventloop_lag_p99_seconds`: a delay there delays everyone.',
    '',
    '## In the HTTP half',
    '',
    ...table(listRows(createHttpMetrics)),
    '## In the real-time half',
    '',
    'Gauges are computed when Prometheus reads them. While a node waits for a world they are 0.',
    '',
    ...table(listRows((registry) => createRealtimeMetrics(registry, metricLabels))),
    'Median tick time: `histogram_quantile(0.5, sum by (le, instance) (rate(gatehouse_realtime_tick_seconds_bucket[5m])))`. For the 99th percentile use 0.99.',
    '',
    '## Traces',
    '',
    'With `OTEL_EXPORTER_OTLP_ENDPOINT` each process sends traces by OpenTelemetry (OTLP over HTTP, JSON). Each HTTP request begins a trace (`GET /api/admin/users/:email`: method, route, status, request id). So does each command of a player (`command who`: name and outcome) and each check of a connection (`connect`). A `traceparent` of a request is continued. Each command of Redis and each request to DynamoDB is a span in it, by name and table, never with keys, values or paths. Log lines inside a trace have `trace_id`, `span_id` and `trace_flags`. `OTEL_SERVICE_NAME`, `OTEL_RESOURCE_ATTRIBUTES`, `OTEL_TRACES_SAMPLER`, `OTEL_TRACES_SAMPLER_ARG`, `OTEL_EXPORTER_OTLP_HEADERS` and the other variables of the SDK work as documented there. `OTEL_SDK_DISABLED=true` turns tracing off. If no collector accepts traces, they are dropped, and the log says so once.',
    '',
  ].join('\n')
