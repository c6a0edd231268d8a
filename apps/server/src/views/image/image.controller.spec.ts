import { type INestApplication, Module } from '@nestjs/common';
import request, { type Response, type Test } from 'supertest';
import { createEdgeApp, FIXED_NOW, SESSIONS, TOKENS } from '../../../../../test/support/edge-app.js';
import { AnomalyDetailsService } from '../../analysis/anomaly/anomaly-details.service.js';
import { AnomalyService } from '../../analysis/anomaly/anomaly.service.js';
import { MatchService } from '../../teaching/match/match.service.js';
import { YhatService } from '../../analysis/anomaly/yhat.service.js';
import { Links } from '../../common/http/links.js';
import { type MetricRef } from '../../data/metric-ref/metric-ref.js';
import { MetricNotFoundError } from '../../data/metric/metric.errors.js';
import { MetricService } from '../../data/metric/metric.service.js';
import { TimeseriesService } from '../../data/metric/timeseries.service.js';
import { type SeriesPoint, type TimeseriesRequest } from '../../data/metric/timeseries.types.js';
import { OrgService } from '../../people/org/org.service.js';
import { ChartRenderer } from './chart-renderer.js';
import { GraphDataService } from './graph-data.service.js';
import { GraphService } from './graph.service.js';
import { ImageController } from './image.controller.js';
import { OrgGraphService } from './org-graph.service.js';

const DAY = 86_400;
const TYPES: Record<string, string> = { up: 'gauge', requests_total: 'counter' };

let asked: Record<string, unknown[]>;
const note = (what: string, value: unknown): void => {
  asked[what] = [...(asked[what] ?? []), value];
};

const METRICS = {
  resolve: (orgId: number, ref: MetricRef, field?: string) => {
    note('resolve', { orgId, ref, field });
    const name = 'name' in ref ? ref.name : 'up';
    if (!(name in TYPES)) return Promise.reject(new MetricNotFoundError(ref, field));
    return Promise.resolve({ id: 3, orgId, name, type: TYPES[name], unit: 'ms' });
  },
  describe: () => Promise.resolve([{ id: 3, name: 'up' }]),
};

const TIMESERIES = {
  read: (_metric: unknown, series: TimeseriesRequest) => {
    note('series', series);
    const slot = 300;
    const points = Array.from({ length: 12 }, (_, i): SeriesPoint => [series.from + i * slot, 40 + i]);
    const rates = series.derivative ? points.map(([timestamp]): SeriesPoint => [timestamp, 1]) : null;
    return Promise.resolve({ resolution_seconds: slot, points, derivative: rates });
  },
};

const YHAT = {
  read: (_metric: unknown, { from }: { from: number }) => {
    note('yhat', from);
    return Promise.resolve({ yhat: [{ timestamp: from, yhat: 41, yhat_lower: 39, yhat_upper: null }] });
  },
};

const ANOMALY = {
  id: 9,
  metric_id: 3,
  timestamp: FIXED_NOW - 8000,
  until_timestamp: FIXED_NOW - 7200,
  out_until_timestamp: FIXED_NOW - 7140,
  kind: 'level_shift_up',
};
const ANOMALIES = {
  listOfMetricWith: (_settings: unknown, _caller: unknown, ref: MetricRef, query: object) => {
    note('anomalies', { ref, ...query });
    return Promise.resolve({ anomalies: [ANOMALY] });
  },
  findWith: (_settings: unknown, _caller: unknown, id: number) => Promise.resolve({ anomaly: { ...ANOMALY, id } }),
  lookUpWith: (_settings: unknown, _caller: unknown, where: object) => {
    note('lookUp', where);
    return Promise.resolve({ anomaly: { ...ANOMALY, until_timestamp: null, out_until_timestamp: null } });
  },
};

const MATCH = { id: 5, metric_id: 3, timestamp: FIXED_NOW - 5000, pattern_label: 'nightly backup' };
const MATCHES = {
  listOfMetric: (_caller: unknown, metricId: number, window: object, page: object) => {
    note('matches', { metricId, ...window, ...page });
    return Promise.resolve({ matches: [MATCH] });
  },
};

@Module({
  providers: [
    GraphDataService,
    GraphService,
    // Tested in org-graph.db-spec.ts.
    { provide: OrgGraphService, useValue: {} },
    ChartRenderer,
    { provide: MetricService, useValue: METRICS },
    { provide: TimeseriesService, useValue: TIMESERIES },
    { provide: YhatService, useValue: YHAT },
    { provide: AnomalyDetailsService, useValue: ANOMALIES },
    { provide: AnomalyService, useValue: ANOMALIES },
    { provide: MatchService, useValue: MATCHES },
    {
      provide: OrgService,
      useValue: { getAnalysisVariables: () => Promise.resolve({ retention2PeriodSeconds: 365 * DAY }) },
    },
  ],
  exports: [GraphService, OrgGraphService],
})
class FakeAreas {}

describe('ImageController', () => {
  let app: INestApplication;
  const bare = (path: string): Test => request(app.getHttpServer() as never).get(`/api${path}`);
  const get = (path: string): Test => bare(path).set('X-Session-Id', SESSIONS.user);
  const dataOf = (answer: Response): unknown => (answer.body as { data: unknown }).data;
  const codesOf = (answer: Response): string[] =>
    (dataOf(answer) as { error: { details: { field: string; code: string }[] } }).error.details.map(
      ({ field, code }) => `${field} ${code}`,
    );

  beforeAll(async () => {
    app = await createEdgeApp({
      controllers: [ImageController],
      imports: [FakeAreas],
      env: { FRAME_ANCESTORS: 'https://wiki.example.org' },
    });
  });
  afterAll(() => app.close());
  beforeEach(() => {
    asked = {};
  });

  it.each(['/metric/up/graph', '/image/metric?metric=up', '/image/anomaly?anomaly_id=9'])(
    '%s requires read permission',
    async (path) => {
      await bare(path).expect(401);
      await bare(path).set('X-Auth-Token', TOKENS.ingest).expect(403);
      await bare(path).set('X-Auth-Token', TOKENS.read).expect(200);
    },
  );

  it('accepts signed addresses, and rejects changed ones', async () => {
    const url = new URL(app.get(Links).signed(7, '/image/metric', { metric: 'up', width: 300 }));
    const path = url.pathname.replace('/api', '') + url.search;
    await bare(path).expect(200).expect('Content-Type', 'image/png');
    const refused = await bare(path.replace('width=300', 'width=301')).expect(401);
    expect(dataOf(refused)).toMatchObject({ error: { code: 'signature_invalid' } });
  });

  describe('GET /metric/{metric_name}/graph', () => {
    it('returns a page with a strict content policy that only allowed sites may embed', async () => {
      const answer = await get('/metric/up/graph').expect(200).expect('Content-Type', 'text/html; charset=utf-8');
      expect(answer.get('Content-Security-Policy')).toBe(
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self' https://wiki.example.org",
      );
      expect(answer.get('Cache-Control')).toBe('private, max-age=60');
      expect(answer.get('X-Frame-Options')).toBeUndefined();
      expect(answer.text).toContain('<svg');
      expect(answer.text).not.toMatch(/<script|https?:\/\/(?!www\.w3\.org)/);
    });

    it('escapes the given title', async () => {
      const answer = await get(`/metric/up/graph?title=${encodeURIComponent('<script>alert(1)</script>')}`).expect(200);
      expect(answer.text).not.toContain('<script');
      expect(answer.text).toContain('&lt;script&gt;');
    });

    it('draws the last day with range, anomalies and matches by default', async () => {
      await get('/metric/up/graph?format=svg').expect(200).expect('Content-Type', 'image/svg+xml; charset=utf-8');
      const window = { from: FIXED_NOW - DAY, until: FIXED_NOW };
      expect(asked.resolve).toEqual([{ orgId: 7, ref: { name: 'up' }, field: undefined }]);
      expect(asked.series).toEqual([expect.objectContaining({ ...window, maxPoints: 4000, derivative: false })]);
      expect(asked.yhat).toEqual([window.from]);
      expect(asked.anomalies).toEqual([expect.objectContaining({ ...window, ref: { id: 3 } })]);
      expect(asked.matches).toEqual([{ metricId: 3, ...window, limit: 1000, offset: 0 }]);
    });

    it('draws a PNG of the requested size', async () => {
      const answer = await get('/metric/up/graph?format=png&width=640&height=200').expect('Content-Type', 'image/png');
      const png = answer.body as Buffer;
      expect(png.subarray(1, 4).toString()).toBe('PNG');
      expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([640, 200]);
      expect(answer.get('Content-Length')).toBe(String(png.length));
    });

    it('fetches only the displayed data', async () => {
      await get(
        '/metric/up/graph?format=svg&display_expected_range=false&display_anomalies=false&display_matches=false',
      ).expect(200);
      expect(asked).not.toHaveProperty('yhat');
      expect(asked).not.toHaveProperty('anomalies');
      expect(asked).not.toHaveProperty('matches');
    });

    it.each([
      ['/metric/requests_total/graph?format=svg', true, true],
      ['/metric/requests_total/graph?format=svg&display_derivative=false', false, false],
      ['/metric/up/graph?format=svg&display_derivative=true', true, false],
    ])('draws %s with rates %s and expected range %s', async (path, derivative, hasRange) => {
      await get(path).expect(200);
      expect(asked.series).toEqual([expect.objectContaining({ derivative })]);
      expect('yhat' in asked).toBe(hasRange);
    });

    it('returns JSON numbers in the envelope', async () => {
      const answer = await get('/metric/up/graph?format=json&title=Mine').expect(200);
      expect(dataOf(answer)).toEqual({
        metric: { id: 3, name: 'up' },
        from: FIXED_NOW - DAY,
        until: FIXED_NOW,
        resolution_seconds: 300,
        timeseries: expect.objectContaining({ resolution_seconds: 300 }) as object,
        yhat: [{ timestamp: FIXED_NOW - DAY, yhat: 41, yhat_lower: 39, yhat_upper: null }],
        anomalies: [ANOMALY],
        matches: [MATCH],
        display: {
          display_x_axis: 'below',
          display_y_axis: 'right',
          display_legend: true,
          display_anomalies: true,
          display_matches: true,
          display_expected_range: true,
          display_derivative: false,
          width: 1000,
          height: 320,
          theme: 'light',
          title: 'Mine',
        },
      });
      expect(asked.series).toEqual([expect.objectContaining({ fill: 'null' })]);
    });

    it('returns errors as JSON', async () => {
      const answer = await get('/metric/nobody/graph').expect(404);
      expect(dataOf(answer)).toMatchObject({ error: { code: 'not_found', details: [] } });
    });
  });

  it.each([
    ['/metric/up/graph?format=gif', 'format not_one_of'],
    ['/metric/up/graph?format=png&width=4000&height=1001', 'height out_of_range'],
    ['/metric/up/graph?width=199', 'width out_of_range'],
    ['/metric/up/graph?width=4001', 'width out_of_range'],
    ['/metric/up/graph?height=99', 'height out_of_range'],
    ['/metric/up/graph?theme=blue', 'theme not_one_of'],
    ['/metric/up/graph?display_x_axis=left', 'display_x_axis not_one_of'],
    ['/metric/up/graph?display_legend=maybe', 'display_legend not_boolean'],
    [`/metric/up/graph?title=${'x'.repeat(201)}`, 'title too_long'],
    ['/metric/up/graph?from=1', 'from out_of_range'],
    [`/metric/up/graph?from=${String(FIXED_NOW - 366 * DAY)}`, 'from window_too_long'],
    ['/image/metric', 'metric required'],
    ['/image/metric?metric=up&format=html', 'format not_one_of'],
    ['/image/anomaly', 'anomaly_id exactly_one'],
    [`/image/anomaly?anomaly_id=1&metric=up&timestamp=${String(FIXED_NOW)}`, 'anomaly_id exactly_one'],
    ['/image/anomaly?metric=up', 'timestamp required'],
    ['/image/anomaly?anomaly_id=x', 'anomaly_id not_integer'],
  ])('rejects %s: %s', async (path, expected) => {
    expect(codesOf(await get(path).expect(400))).toEqual([expected]);
  });

  describe('GET /image/metric', () => {
    it('returns a PNG by default, and names the parameter of an unknown metric', async () => {
      await get('/image/metric?metric=up').expect(200).expect('Content-Type', 'image/png');
      const answer = await get('/image/metric?metric=nobody').expect(404);
      expect(codesOf(answer)).toEqual(['metric not_one_of']);
    });
  });

  describe('GET /image/anomaly', () => {
    it('shows the day that ends an hour after the anomaly', async () => {
      const answer = await get('/image/anomaly?anomaly_id=9').expect(200).expect('Content-Type', 'image/png');
      expect((answer.body as Buffer).readUInt32BE(16)).toBe(800);
      const until = FIXED_NOW - 7200 + 3600;
      expect(asked.series).toEqual([expect.objectContaining({ from: until - DAY, until })]);
    });

    it('shows the last day of an open anomaly, also when it is found by metric and time', async () => {
      const where = { metric: { name: 'up' }, timestamp: FIXED_NOW - 60 };
      await get(`/image/anomaly?metric=up&timestamp=${String(where.timestamp)}&format=svg`).expect(200);
      expect(asked.lookUp).toEqual([where]);
      expect(asked.series).toEqual([expect.objectContaining({ from: FIXED_NOW - DAY, until: FIXED_NOW })]);
    });
  });
});
