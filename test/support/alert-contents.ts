import {
  type AlertContent,
  type AnomalyFacts,
  composeAdmin,
  composeIncident,
  composeSummary,
  composeTest,
  composeThreshold,
  type IncidentFacts,
  type MessageFacts,
} from '#libs/alerting';

/** Thursday, 9 October 2025, 10:00 in Oslo. */
export const START = 1_759_996_800;

const HOST = 'https://plumbline.example.org';

const FACTS: MessageFacts = {
  org: { id: 12, name: 'Example Ltd' },
  watcher: { id: 5, name: 'API errors' },
  timezone: 'Europe/Oslo',
  now: START + 30,
  links: {
    console: `${HOST}/incident/41`,
    act: `${HOST}/incident/41`,
    graph: `${HOST}/api/metric/disk_read_latency_seconds/graph?from=1759932000&until=1760018400&org_id=12&exp=1762588800&sig=abc`,
    image: `${HOST}/api/image/anomaly?anomaly_id=7120&org_id=12&exp=1762588800&sig=abc`,
  },
  event: { type: 'incident.opened', data: {} },
};

export const anAnomaly = (facts: Partial<AnomalyFacts> = {}): AnomalyFacts => ({
  anomalyId: 7120,
  metricId: 455,
  metric: 'disk_read_latency_seconds{instance="db-1",device="nvme0n1"}',
  labels: { instance: 'db-1', device: 'nvme0n1' },
  unit: 'seconds',
  kind: 'spike',
  severity: 64,
  start: START,
  end: null,
  value: 0.0842,
  lower: 0.0034,
  upper: 0.0049,
  peakValue: null,
  reason: '0.0842 is 21 times the usual scale above the usual 0.0041',
  ending: null,
  ...facts,
});

/** An incident with one metric. */
export const singleFacts = (facts: Partial<IncidentFacts> = {}): IncidentFacts => ({
  ...FACTS,
  phase: 'opened',
  incident: {
    id: 41,
    title: 'disk_read_latency_seconds{instance="db-1",device="nvme0n1"} since 10:00',
    start: START,
    end: null,
    severity: 64,
    metricsCount: 1,
    origins: [],
  },
  anomalies: [anAnomaly()],
  metricsCount: 1,
  previous: null,
  acknowledgement: null,
  ...facts,
});

const NAMES = [
  'disk_read_latency_seconds',
  'disk_write_latency_seconds',
  'node_load1',
  'pg_stat_activity_count',
  'pg_replication_lag_seconds',
  'http_request_duration_seconds',
  'node_network_transmit_bytes_total',
  'node_memory_MemAvailable_bytes',
];
const UNITS = ['seconds', 'seconds', null, null, 'seconds', 'seconds', 'bytes', 'bytes'];
const KINDS = [
  'spike',
  'level_shift_up',
  'level_shift_up',
  'spike',
  'spike',
  'seasonal_break',
  'dip',
  'missing_data',
] as const;

/** An incident in which all metrics of one host fail at the same time. */
export function stormFacts(metricsCount: number, facts: Partial<IncidentFacts> = {}): IncidentFacts {
  const anomalies = Array.from({ length: Math.min(metricsCount, 40) }, (_, index) => {
    const at = index % NAMES.length;
    const missing = KINDS[at] === 'missing_data';
    return anAnomaly({
      anomalyId: 7120 + index,
      metricId: 455 + index,
      metric: `${NAMES[at]!}{instance="db-1",shard="${String(Math.floor(index / NAMES.length))}"}`,
      unit: UNITS[at]!,
      kind: KINDS[at]!,
      severity: 91 - index,
      start: START + index,
      value: missing ? null : 10 ** (at - 2) * 8.42,
      lower: missing ? null : 10 ** (at - 2) * 0.34,
      upper: missing ? null : 10 ** (at - 2) * 0.49,
    });
  });
  return singleFacts({
    incident: {
      id: 41,
      title: `${String(metricsCount)} metrics of instance=db-1 since 10:00, first: disk read latency`,
      start: START,
      end: null,
      severity: 91,
      metricsCount,
      origins: [
        {
          metric: anomalies[0]!.metric,
          likelihood: 0.62,
          reason: 'started first and leads 9 of 11 others by 60 s; shares instance=db-1 with 11 of them',
        },
      ],
    },
    anomalies,
    metricsCount,
    ...facts,
  });
}

/** One content of each kind, by name. */
export const CONTENTS: Readonly<Record<string, () => AlertContent>> = {
  single: () => composeIncident(singleFacts()),
  storm: () => composeIncident(stormFacts(2000)),
  grown: () =>
    composeIncident(
      stormFacts(2000, { phase: 'updated', watcher: null, previous: { metricsCount: 12, severity: 64 } }),
    ),
  acknowledged: () =>
    composeIncident(
      stormFacts(12, { phase: 'acknowledged', acknowledgement: { by: 'Ann', note: 'The array rebuilds itself.' } }),
    ),
  recovered: () => {
    const facts = stormFacts(12, { phase: 'recovered', now: START + 1800 });
    return composeIncident({ ...facts, incident: { ...facts.incident, end: START + 1740 } });
  },
  threshold: () =>
    composeThreshold({
      ...FACTS,
      watcher: { id: 6, name: 'Slow requests' },
      links: { ...FACTS.links, console: `${HOST}/watchers/6`, act: null },
      phase: 'opened',
      rule: {
        algorithm: 'above',
        value: 500,
        valueUpper: null,
        timesInARow: 3,
        function: 'mean',
        functionSeconds: 300,
        minimumAvg: null,
        minimumAvgSeconds: null,
        dropPercent: null,
      },
      breaches: [
        {
          metricId: 982,
          metric: 'http.api.checkout.latency.p95',
          labels: {},
          unit: 'ms',
          value: 812.4,
          start: START,
          end: null,
        },
      ],
      metricsCount: 1,
      subject: { type: 'watcher-metric', id: '6-982' },
    }),
  test: () => composeTest({ ...FACTS, requestedBy: 'Ann', example: anAnomaly(), id: 'a1' }),
  summary: () =>
    composeSummary({
      ...FACTS,
      watcher: { id: 5, name: 'API errors' },
      links: { console: `${HOST}/watchers/5`, act: null, graph: null, image: null },
      frequency: 'weekly',
      from: START - 7 * 86_400,
      until: START,
      counts: {
        incidents: 3,
        anomalies: 41,
        metrics: 17,
        metricsWatched: 1204,
        stillOpen: 1,
        messagesSent: 4,
        messagesSuppressed: 22,
      },
      anomaliesBefore: 12,
      incidents: [
        {
          id: 38,
          title: 'http_requests_total{code="500"} since 09:12',
          start: START - 2880,
          end: null,
          severity: 55,
          metricsCount: 1,
          url: `${HOST}/incident/38`,
        },
        {
          id: 37,
          title: '12 metrics of instance=db-1 from 14:02 to 14:31, first: disk latency',
          start: START - 2 * 86_400 + 14_520,
          end: START - 2 * 86_400 + 16_260,
          severity: 81,
          metricsCount: 12,
          url: `${HOST}/incident/37`,
        },
        {
          id: 36,
          title: 'queue.depth from 03:00 to 03:20',
          start: START - 4 * 86_400 - 25_200,
          end: START - 4 * 86_400 - 24_000,
          severity: 30,
          metricsCount: 1,
          url: `${HOST}/incident/36`,
        },
      ],
    }),
  admin: () =>
    composeAdmin({
      ...FACTS,
      watcher: null,
      links: { console: `${HOST}/`, act: null, graph: null, image: null },
      phase: 'opened',
      code: 'stale_metrics',
      name: 'Some metrics stop receiving data',
      message: 'No data for 15 minutes, while others still arrive.',
      since: START - 900,
      affectedMetrics: Array.from({ length: 14 }, (_, index) => `web-${String(index + 1)}.cpu.user`),
      affectedCount: 14,
    }),
};

/** Text that could be interpreted as markup, a header or a mention, in every place that holds text. */
export function hostileContent(): AlertContent {
  const text =
    '<img src=x onerror=alert(1)> **b** _i_ `c` [l](http://x) <!channel> <@U1> &amp; "q"\r\nBcc: v@x.test\u2028=?UTF-8?Q?x?=';
  const facts = singleFacts({
    org: { id: 12, name: text },
    watcher: { id: 5, name: text },
    anomalies: [anAnomaly({ metric: text, unit: text, reason: text, labels: { [text]: text } })],
  });
  return composeIncident(facts);
}
