import { type Product, startProduct, until } from '../support/product.js';
import {
  graphiteWith,
  influxWith,
  mariadbWith,
  postgresWith,
  prometheusWith,
  receivingPrometheusWith,
  type Store,
  type StoredSeries,
  victoriaMetricsWith,
} from '../support/stores.js';

const MINUTE = 60;
const HOUR = 3600;
const DAY = 86_400;
const BEAT_SECONDS = 10;

interface Source {
  id: number;
  state: string;
  last_error: string | null;
  series_count: number | null;
  watermark_timestamp: number | null;
  write_back_timestamp: number | null;
  write_back_error: string | null;
}

const valueAt = (timestamp: number): number => Math.floor(timestamp / BEAT_SECONDS) % 997;

/** Real stores with known data, and one product. */
describe('sources', () => {
  const began = Math.floor(Date.now() / 1000 / MINUTE) * MINUTE;
  const hosts = (names: readonly string[], seconds: number, step = MINUTE): StoredSeries[] =>
    // Covers the time for which the tests run.
    names.map((host) => ({ host, from: began - seconds, until: began + 30 * MINUTE, step, valueAt }));
  const AB = hosts(['a', 'b'], 3 * HOUR);
  const MANY = Array.from({ length: 40 }, (_, index) => `h${String(index)}`);

  /** Two weeks with a daily season and noise, and an outage that began twenty minutes ago. */
  const orders: StoredSeries = {
    ...{ host: 'shop', from: began - 14 * DAY, until: began + 30 * MINUTE, step: MINUTE },
    valueAt: (at) => {
      if (at > began - 20 * MINUTE) return 0;
      return 500 + 100 * Math.sin((2 * Math.PI * at) / DAY) + (((at / MINUTE) * 7919) % 41);
    },
  };

  let product: Product;
  let token: string;
  let victoria: Store;
  const stores: Pick<Store, 'dispose'>[] = [];
  const kept = async <S extends Pick<Store, 'dispose'>>(starting: Promise<S>): Promise<S> => {
    const store = await starting;
    stores.push(store);
    return store;
  };
  const url: Record<string, string> = {};

  beforeAll(async () => {
    const starting = [
      kept(prometheusWith('load', AB)).then((store) => (url.prometheus = store.url)),
      kept(receivingPrometheusWith('load', [{ ...AB[0]!, until: began }])).then((store) => (url.receiver = store.url)),
      kept(influxWith('load', AB)).then((store) => (url.influx = store.url)),
      kept(graphiteWith(AB)).then((store) => (url.graphite = store.url)),
      kept(postgresWith(AB)).then((store) => (url.postgres = store.url)),
      kept(mariadbWith(AB)).then((store) => (url.mariadb = store.url)),
      kept(
        victoriaMetricsWith({
          load: AB,
          many: hosts(MANY, 2 * DAY),
          orders: [orders],
          beat: hosts(['x'], HOUR, BEAT_SECONDS),
        }),
      ).then((store) => (victoria = store)),
    ];
    product = await startProduct();
    token = await product.createToken(['admin', 'read']);
    await Promise.all(starting);
  }, 240_000);
  afterAll(async () => {
    await product.dispose();
    for (const store of stores) await store.dispose();
  }, 60_000);

  const create = async (fields: object): Promise<Source> =>
    (await product.call<{ source: Source }>('POST', '/source', token, fields)).source;
  const sourceOf = async ({ id }: { id: number }): Promise<Source> =>
    ((await product.api(`/source/${String(id)}`, token)) as { source: Source }).source;
  const inState = (source: { id: number }, state: string): Promise<Source> =>
    until(
      `the source to be ${state}`,
      async () => {
        const found = await sourceOf(source);
        if (found.state === 'failing' && state === 'ok') throw new Error(String(found.last_error));
        return found.state === state ? found : undefined;
      },
      { everyMs: 200 },
    );

  /**
   * Slots of a metric whose value is missing or differs from the store. There are some until detection has stored them.
   */
  async function differences(
    metric: string,
    from: number,
    last: number,
    at = (slot: number) => slot,
  ): Promise<unknown[]> {
    const window = `from=${String(from)}&until=${String(last)}&resolution=60&max_points=10000&fill=none`;
    const path = `/metric/${encodeURIComponent(metric)}/timeseries?${window}`;
    const { points } = (await product.api(path, token)) as { points: [number, number][] };
    const found = new Map(points);
    const wrong: unknown[] = [];
    for (let slot = from; slot <= last; slot += MINUTE) {
      if (found.get(slot) !== valueAt(at(slot))) wrong.push([slot, found.get(slot), valueAt(at(slot))]);
    }
    return wrong.slice(0, 5);
  }
  const isEqual = (metric: string, from: number, last: number): Promise<true> =>
    until(
      `${metric} to be as at its source`,
      async () => {
        const wrong = await differences(metric, from, last);
        if (wrong.length > 0) throw new Error(JSON.stringify(wrong));
        return true as const;
      },
      { everyMs: 500 },
    );

  const INFLUXQL = `SELECT last(idle) FROM load WHERE time >= :from AND time < :until GROUP BY time(:interval), host`;
  const SQL = `SELECT at AS time, host, 'load' AS metric, value FROM load WHERE at >= :from AND at < :until`;
  it.each([
    ['Prometheus', () => ({ type: 'promql', url: url.prometheus, query: 'load' }), 'load{host="a"}'],
    ['VictoriaMetrics', () => ({ type: 'promql', url: victoria.url, query: 'load' }), 'vm.load{host="a"}'],
    ['InfluxDB', () => ({ type: 'influxql', url: url.influx, query: INFLUXQL }), 'load_last{host="a"}'],
    ['Graphite', () => ({ type: 'graphite', url: url.graphite, query: 'servers.*.cpu' }), 'servers.a.cpu'],
    ['PostgreSQL', () => ({ type: 'sql', url: url.postgres, query: SQL }), 'pg.load{host="a"}'],
    [
      'MariaDB',
      () => ({
        ...{ type: 'sql', url: url.mariadb, username: 'reader', password: 'read me' },
        query: SQL.replace('FROM load', 'FROM load_of_hosts'),
      }),
      'maria.load{host="a"}',
    ],
  ])('reads past and present points of %s unchanged', async (name, fields, metric) => {
    const prefix = /^(vm|pg|maria)\./.exec(metric)?.[0];
    const template = prefix === undefined ? {} : { name_template: `${prefix}{name}` };
    const source = { name, ...fields(), ...template, backfill_seconds: 2 * HOUR };
    const tested = await product.call<{ ok: boolean; series_count: number; series: { metric: string }[] }>(
      ...(['POST', '/source/test', token, source] as const),
    );
    expect(tested).toMatchObject({ ok: true, series_count: 2 });
    expect(tested.series.map((one) => one.metric)).toContain(metric);
    const created = await create(source);
    const { watermark_timestamp: watermark, series_count: count } = await inState(created, 'ok');
    expect(count).toBe(2);
    // Where slots are named by their beginning, the last instant belongs to the next read.
    await isEqual(metric, began - 2 * HOUR + 2 * MINUTE, watermark! - MINUTE);
  });

  it('lists an anomaly at the end of the backfill, without an alert', async () => {
    const source = await create({ name: 'orders', type: 'promql', url: victoria.url, query: 'orders' });
    const metric = encodeURIComponent('orders{host="shop"}');
    // The product promises three minutes; the rest allows for a busy machine.
    const anomaly = await until(
      'the outage to be listed',
      async () => {
        const window = `from=${String(began - HOUR)}&until=${String(began + HOUR)}`;
        const { anomalies } = (await product.api(`/metric/${metric}/anomalies?${window}`, token)) as {
          anomalies: { timestamp: number; state: string; value: number }[];
        };
        return anomalies.find(({ timestamp }) => Math.abs(timestamp - (began - 19 * MINUTE)) <= 2 * MINUTE);
      },
      { everyMs: 500, timeoutMs: 180_000 },
    );
    expect(anomaly).toMatchObject({ state: 'open', value: 0 });
    const { events } = (await product.api('/org/events?type=alert_sent&type=alert_failed', token)) as {
      events: object[];
    };
    expect(events).toEqual([]);
    await product.call('DELETE', `/source/${String(source.id)}`, token);
  });

  /** Values of the derived series of a metric in a slot, from a Prometheus API. */
  async function derivedAt(api: string, metric: string, slot: number, headers = {}): Promise<Map<string, number>> {
    const names = ['plumbline_expected', 'plumbline_expected_lower', 'plumbline_expected_upper', 'plumbline_score'];
    const values = new Map<string, number>();
    for (const name of names) {
      const form = { query: `${name}{metric=${JSON.stringify(metric)}}`, time: String(slot) };
      const body = new URLSearchParams(form).toString();
      const type = { 'Content-Type': 'application/x-www-form-urlencoded' };
      const answer = await fetch(`${api}/api/v1/query`, { method: 'POST', headers: { ...type, ...headers }, body });
      const { data } = (await answer.json()) as { data: { result: { metric: object; value: [number, string] }[] } };
      for (const { metric: labels, value } of data.result) {
        values.set(JSON.stringify(Object.entries(labels).sort()), Number(value[1]));
      }
    }
    return values;
  }

  it.each([
    ['Prometheus', () => url.receiver!],
    ['VictoriaMetrics', () => victoria.url],
  ])('writes the expected range and the score back to %s, and does not read them', async (name, address) => {
    const written = await create({
      ...{ name: `${name}, written back to`, type: 'promql', url: address(), write_back: true },
      ...{ query: '{host="a",__name__=~"load|plumbline_.+"}', name_template: `${name}.{name}` },
      ...{ backfill_seconds: 3 * HOUR, interval_seconds: BEAT_SECONDS, lag_seconds: 5 },
    });
    const metric = `${name}.load{host="a"}`;
    const { write_back_timestamp: slot, watermark_timestamp: watermark } = await until(
      'a slot to be written back',
      async () => {
        const found = await sourceOf(written);
        if (found.write_back_error !== null) throw new Error(found.write_back_error);
        return found.write_back_timestamp === null ? undefined : found;
      },
      { everyMs: 200, timeoutMs: 120_000 },
    );
    const wanted = await derivedAt(`${product.url}/prometheus`, metric, slot!, { 'X-Auth-Token': token });
    expect(wanted.size).toBe(4);
    const found = await until('the store to answer what it has taken', async () => {
      const there = await derivedAt(address(), metric, slot!);
      return there.size === 4 ? there : undefined;
    });
    expect([...found.keys()].sort()).toEqual([...wanted.keys()].sort());
    // VictoriaMetrics stores only the first 15 digits.
    for (const [series, value] of wanted) expect(found.get(series)! / (value || 1)).toBeCloseTo(value === 0 ? 0 : 1, 9);

    await until('another read', async () => (await sourceOf(written)).watermark_timestamp! > watermark!);
    const { series_count: count, last_error: error } = await sourceOf(written);
    expect([count, error]).toEqual([1, null]);
    const { metrics } = (await product.api('/metrics?q=plumbline_&limit=10', token)) as { metrics: object[] };
    expect(metrics).toEqual([]);
    await product.call('DELETE', `/source/${String(written.id)}`, token);
  });

  it('runs database queries in read-only transactions', async () => {
    const refused = async (source: object): Promise<string> =>
      product.call('POST', '/source/test', token, source).then(String, String);
    const query = `WITH gone AS (DELETE FROM load RETURNING 1) SELECT now() AS time, count(*) AS value FROM gone`;
    expect(await refused({ type: 'sql', url: url.postgres, query })).toMatch(/502.*the database says/);
    const several = `SELECT 1 AS value; COMMIT; DELETE FROM load`;
    expect(await refused({ type: 'sql', url: url.postgres, query: several })).toMatch(/502.*the database says/);
    const maria = { type: 'sql', url: url.mariadb, username: 'reader', password: 'read me' };
    const insert = `INSERT INTO load_of_hosts VALUES (NOW(), 'x', 1)`;
    expect(await refused({ ...maria, query: insert })).toMatch(/502.*READ ONLY/);
    const isReadOnly = `SELECT (current_setting('transaction_read_only') = 'on')::int AS value, count(*) AS rows FROM load`;
    const state = { name: 'state', type: 'sql', url: url.postgres, query: isReadOnly };
    expect(await product.call('POST', '/source/test', token, state)).toMatchObject({
      series: [{ metric: 'state{rows="422"}', last_value: 1 }],
    });
  });

  it('cancels database queries after their timeout', async () => {
    const test = (fields: object): Promise<string> =>
      product
        .call('POST', '/source/test', token, { type: 'sql', timeout_seconds: 1, ...fields })
        .then(() => 'answered', String);
    const start = Date.now();
    expect(await test({ url: url.postgres, query: 'SELECT 1 AS value FROM pg_sleep(20)' })).toContain('502');
    const rows = 'load_of_hosts';
    const query = `SELECT count(*) AS value FROM ${rows} a, ${rows} b, ${rows} c, ${rows} d WHERE a.value + b.value < c.value * d.value`;
    const login = { username: 'reader', password: 'read me' };
    expect(await test({ url: url.mariadb, ...login, query })).toContain('502');
    expect(Date.now() - start).toBeLessThan(10_000);
  });

  /** Points that this process has stored from promql sources. */
  async function pointsRead(): Promise<number> {
    const text = await (await fetch(`${product.managementUrl}/metrics`)).text();
    return Number(/^plumbline_source_points_total\{type="promql"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  }

  it('has neither gaps nor duplicates after an outage of the source', async () => {
    for (const { id } of ((await product.api('/sources', token)) as { sources: Source[] }).sources) {
      await product.call('PUT', `/source/${String(id)}`, token, { enabled: false });
    }
    const times = { interval_seconds: BEAT_SECONDS, lag_seconds: 2, backfill_seconds: 10 * MINUTE };
    const before = await pointsRead();
    const asked = Date.now() / 1000;
    const source = await create({ name: 'beat', type: 'promql', url: victoria.url, query: 'beat', ...times });
    const answered = Date.now() / 1000;
    await inState(source, 'ok');
    await victoria.stop();
    const failing = await inState(source, 'failing');
    // The interval of the read that failed.
    const missed = failing.watermark_timestamp! + BEAT_SECONDS;
    await victoria.start();
    await until('what was missed to be read', async () => {
      const { state, watermark_timestamp: watermark } = await sourceOf(source);
      return state === 'ok' && watermark! >= missed ? true : undefined;
    });
    await product.call('PUT', `/source/${String(source.id)}`, token, { enabled: false });
    const { watermark_timestamp: watermark } = await sourceOf(source);
    // As many points as intervals since the start of the backfill.
    const starts = [asked, answered].map((at) => Math.floor((at - 2) / BEAT_SECONDS) * BEAT_SECONDS - 10 * MINUTE);
    expect(starts.map((start) => (watermark! - start) / BEAT_SECONDS)).toContain((await pointsRead()) - before);
    const from = Math.ceil(starts[1]! / MINUTE) * MINUTE + MINUTE;
    const last = Math.floor(watermark! / MINUTE) * MINUTE - MINUTE;
    await until('the slots to be stored', async () => {
      const wrong = await differences('beat{host="x"}', from, last, (slot) => slot + MINUTE - BEAT_SECONDS);
      if (wrong.length > 0) throw new Error(JSON.stringify(wrong));
      return true;
    });
  });

  it('completes a backfill during which the product was killed', async () => {
    const times = { backfill_seconds: 2 * DAY };
    const source = await create({ name: 'many', type: 'promql', url: victoria.url, query: 'many', ...times });
    const midst = await until(
      'a part of the past to be read',
      async () => {
        const { state, watermark_timestamp: watermark } = await sourceOf(source);
        if (state === 'ok') throw new Error('The backfill was over too soon');
        return (watermark ?? 0) > began - 2 * DAY + HOUR ? watermark! : undefined;
      },
      { everyMs: 20 },
    );
    await product.stop('SIGKILL');
    await product.restart();
    expect((await sourceOf(source)).watermark_timestamp).toBeGreaterThanOrEqual(midst);
    const { watermark_timestamp: watermark } = await inState(source, 'ok');
    for (const host of ['h0', 'h21', 'h39']) {
      await isEqual(`many{host="${host}"}`, began - 2 * DAY + 2 * MINUTE, watermark!);
    }
    await until('the metrics to be judged', async () => {
      const path = `/metric/${encodeURIComponent('many{host="h0"}')}`;
      const { metric } = (await product.api(path, token)) as { metric: { analysis_state: string } };
      return metric.analysis_state === 'live' ? true : undefined;
    });
  });
});
