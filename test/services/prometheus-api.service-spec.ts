import { type ChildProcess, execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { parse as parseYaml } from 'yaml';
import { freePort } from '../../scripts/free-port.mjs';
import { type Product, startProduct, until } from '../support/product.js';
import { endProgram, startProgram } from '../support/programs.js';

const run = promisify(execFile);
const DEPLOY = resolve(import.meta.dirname, '../../deploy');

interface PrometheusAnswer {
  status: string;
  error?: string;
  data: { result: { metric: Record<string, string>; value: [number, string] }[] };
}

interface Dashboard {
  uid: string;
  panels: { title: string; targets: { expr: string; instant: boolean; datasource: { uid: string } }[] }[];
  templating: { list: { name: string }[] };
}

const dashboards = readdirSync(join(DEPLOY, 'grafana/dashboards')).map(
  (file) => JSON.parse(readFileSync(join(DEPLOY, 'grafana/dashboards', file), 'utf8')) as Dashboard,
);
const expressionsFor = (datasource: string) =>
  dashboards.flatMap(({ panels }) =>
    panels.flatMap(({ targets }) => targets.filter(({ datasource: { uid } }) => uid === datasource)),
  );
const textOf = (path: string) => readFileSync(join(DEPLOY, path), 'utf8');

/** Real promtool and Prometheus read from the product, with the files of `deploy/` for them and for Grafana. */
describe('the Prometheus API', () => {
  let product: Product;
  let folder: string;
  let token: string;
  let server: string;
  let prometheus: ChildProcess | undefined;
  let prometheusUrl: string;
  let newest: number;

  const promtool = async (...given: string[]) => (await run('promtool', given)).stdout;
  const ask = async (origin: string, path: string): Promise<PrometheusAnswer> => {
    const headers = origin === product.url ? { Authorization: `Bearer ${token}` } : undefined;
    return (await (await fetch(origin + path, { headers })).json()) as PrometheusAnswer;
  };

  beforeAll(async () => {
    product = await startProduct();
    token = await product.createToken(['read']);
    const ingest = await product.createToken(['ingest']);
    server = `${product.url.replace('http://', `http://reader:${token}@`)}/prometheus`;
    newest = Math.floor(Date.now() / 60_000) * 60;
    const timestamps = Array.from({ length: 120 }, (_, i) => newest - (119 - i) * 60);
    const metric = (name: string, labels: object, first: number) => {
      return { metric: name, labels, timestamps, values: timestamps.map((_, i) => first + i) };
    };
    const sent = await fetch(`${product.url}/ingest/metrics`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Auth-Token': ingest },
      body: JSON.stringify({
        metrics: [
          metric('queue_length', { job: 'checkout', host: 'a' }, 0.5),
          metric('queue_length', { job: 'search', host: 'b' }, 1000),
          metric('web-1.cpu', {}, 10),
        ],
      }),
    });
    expect(sent.status).toBe(204);
    await until('the points to be readable', async () => {
      const { data } = await ask(
        product.url,
        '/prometheus/api/v1/query?query=%7B__name__%3D~%22queue_length%7Cweb.*%22%7D',
      );
      return data.result.length === 3 && data.result.every(({ value }) => Number(value[1]) % 1000 >= 119)
        ? true
        : undefined;
    });
    folder = await mkdtemp(join(tmpdir(), 'plumbline-federation-'));
    const port = await freePort();
    prometheusUrl = `http://127.0.0.1:${String(port)}`;
    await writeFile(join(folder, 'plumbline-token'), token);
    await writeFile(join(folder, 'rules.yml'), textOf('prometheus/rules.yml'));
    await writeFile(join(folder, 'itself-rules.yml'), textOf('prometheus/itself-rules.yml'));
    const config = textOf('prometheus/prometheus.yml')
      .replace('scrape_interval: 1m', 'scrape_interval: 1s\n  evaluation_interval: 1s')
      .replace(
        '- plumbline_anomalous\n',
        '- plumbline_anomalous\n        - queue_length\n        - \'{metric="web-1.cpu"}\'\n',
      )
      .replace('plumbline:3000', new URL(product.url).host)
      .replace('plumbline:9091', new URL(product.managementUrl).host);
    await writeFile(join(folder, 'prometheus.yml'), config);
    const storage = `--storage.tsdb.path=${join(folder, 'data')}`;
    const listen = `--web.listen-address=127.0.0.1:${String(port)}`;
    prometheus = startProgram('prometheus', [`--config.file=${join(folder, 'prometheus.yml')}`, storage, listen], {
      stdio: 'ignore',
    });
  });

  afterAll(async () => {
    await endProgram(prometheus);
    await product.dispose();
    await rm(folder, { recursive: true, force: true });
  });

  it('answers queries of promtool', async () => {
    const at = ['--time', String(newest)];
    expect(await promtool('query', 'instant', ...at, server, 'queue_length{job="checkout"}')).toBe(
      `queue_length{host="a", job="checkout"} => 119.5 @[${String(newest)}]\n`,
    );
    expect(await promtool('query', 'instant', server, '1+1')).toMatch(/^scalar: 2 @\[/);
    const range = ['--start', String(newest - 120), '--end', String(newest), '--step', '1m'];
    expect(await promtool('query', 'range', ...range, server, '{metric="web-1.cpu"}')).toBe(
      `web-1.cpu =>\n${[127, 128, 129].map((value, i) => `${String(value)} @[${String(newest - 120 + i * 60)}]`).join('\n')}\n`,
    );
    const series = await promtool('query', 'series', '--match', 'queue_length', '--match', 'plumbline_score', server);
    expect(series.trim().split('\n')).toHaveLength(5);
    expect((await promtool('query', 'labels', server, 'job')).trim().split('\n')).toEqual(['checkout', 'search']);
    await expect(promtool('query', 'instant', server, 'sum(queue_length)')).rejects.toThrow(
      /execution: the aggregation sum is not supported/,
    );
  });

  it('federates to a Prometheus with the same values', async () => {
    const query = '/api/v1/query?query=%7B__name__%3D~%22queue_length%7Cplumbline_anomalous%22%7D';
    const values = ({ data }: PrometheusAnswer) =>
      data.result.map(({ metric, value }) => `${JSON.stringify(Object.entries(metric).sort())} ${value[1]}`).sort();
    const federated = await until(
      'the federated series',
      async () => {
        const answer = await ask(prometheusUrl, query);
        const queues = answer.data.result.filter(({ metric }) => metric.__name__ === 'queue_length');
        return queues.length === 2 ? answer : undefined;
      },
      { everyMs: 200 },
    );
    expect(values(federated)).toEqual(values(await ask(product.url, `/prometheus${query}`)));
    // For a name that this version of Prometheus does not allow, a label holds the name of the metric.
    const { data } = await ask(prometheusUrl, `/api/v1/query?query=web_1_cpu`);
    expect(data.result[0]).toMatchObject({ metric: { metric: 'web-1.cpu' }, value: [expect.any(Number), '129'] });
  });

  it('has rules and a dashboard for the product itself that use only exported metrics', async () => {
    const rules = join(DEPLOY, 'prometheus/itself-rules.yml');
    expect(await promtool('check', 'rules', rules)).toContain('SUCCESS');
    expect(await promtool('test', 'rules', join(DEPLOY, 'prometheus/itself-rules.test.yml'))).toContain('SUCCESS');
    const metrics = await (await fetch(`${product.managementUrl}/metrics`)).text();
    const known = new Set([...metrics.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name!));
    const { groups } = parseYaml(readFileSync(rules, 'utf8')) as { groups: { rules: { expr: string }[] }[] };
    const itself = dashboards.find(({ uid }) => uid === 'plumbline-itself')!;
    const expressions = [
      ...groups.flatMap(({ rules: all }) => all.map(({ expr }) => expr)),
      ...itself.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr)),
    ];
    expect(expressions.length).toBeGreaterThan(20);
    const named = expressions.flatMap((expr) => expr.match(/\b(?:plumbline|process|nodejs)_\w+/g) ?? []);
    const missing = named.map((name) => name.replace(/_(?:bucket|count|sum)$/, '')).filter((name) => !known.has(name));
    expect(missing).toEqual([]);
    for (const figure of ['plumbline_ready{check="database"} 1', 'plumbline_disk_bytes{state="free"} ']) {
      expect(metrics).toContain(figure);
    }
    expect(metrics).toMatch(/^plumbline_database_connections\{state="most"\} \d+$/m);
  });

  it('has rules that pass their tests and that its Prometheus evaluates', async () => {
    expect(await promtool('test', 'rules', join(DEPLOY, 'prometheus/rules.test.yml'))).toContain('SUCCESS');
    const { data } = await until('the recorded rules', async () => {
      const answer = await ask(prometheusUrl, '/api/v1/query?query=plumbline:anomalous:count');
      return answer.data.result.length > 0 ? answer : undefined;
    });
    expect(data.result[0]?.value[1]).toBe('0');
  });

  it('answers every query of the dashboards and alert rules for Grafana', async () => {
    const { groups } = parseYaml(textOf('grafana/provisioning/alerting/plumbline.yaml')) as {
      groups: { rules: { uid: string; data: { datasourceUid: string; model: { expr?: string } }[] }[] }[];
    };
    const ruled = groups
      .flatMap(({ rules }) => rules.flatMap(({ data }) => data))
      .filter(({ datasourceUid }) => datasourceUid === 'plumbline');
    const asked = [
      ...expressionsFor('plumbline').map(({ expr, instant }) => ({ expr, instant })),
      ...ruled.map(({ model }) => ({ expr: model.expr!, instant: true })),
    ];
    expect(asked.length).toBeGreaterThan(10);
    const values = { $metrics: '.+', $metric: 'web-1.cpu', $job: '(checkout|search)' };
    for (const { expr, instant } of asked) {
      const query = Object.entries(values).reduce((text, [name, value]) => text.replaceAll(name, value), expr);
      const times = instant ? '' : `&start=${String(newest - 3600)}&end=${String(newest)}&step=60`;
      const path = `/prometheus/api/v1/query${instant ? '' : '_range'}?query=${encodeURIComponent(query)}${times}`;
      const answer = await ask(product.url, path);
      expect([query, answer.status, answer.error]).toEqual([query, 'success', undefined]);
      expect([query, answer.data.result.length > 0]).toEqual([query, true]);
    }
  });

  it('exports the metrics in the dashboard of the product itself, in queries that Prometheus accepts', async () => {
    const shown = expressionsFor('plumbline-prometheus').map(({ expr }) => expr);
    expect(shown.length).toBeGreaterThan(8);
    const metrics = await (await fetch(`${product.managementUrl}/metrics`)).text();
    const exposed = new Set([...metrics.matchAll(/^# TYPE (\S+) /gm)].map(([, name]) => name));
    for (const expr of shown) {
      const names = [...expr.matchAll(/(?:plumbline|process)_[a-z_]+/g)].map(([name]) =>
        name.replace(/_(bucket|count|sum)$/, ''),
      );
      expect([expr, names.length > 0, names.filter((name) => !exposed.has(name))]).toEqual([expr, true, []]);
      expect(await ask(prometheusUrl, `/api/v1/query?query=${encodeURIComponent(expr)}`)).toMatchObject({
        status: 'success',
      });
    }
  });

  it('provisions the data sources that the dashboards use', () => {
    const { datasources } = parseYaml(textOf('grafana/provisioning/datasources/plumbline.yaml')) as {
      datasources: { uid: string; type: string; url: string }[];
    };
    const used = dashboards.flatMap(({ panels }) =>
      panels.flatMap(({ targets }) => targets.map(({ datasource }) => datasource.uid)),
    );
    expect(new Set(used)).toEqual(new Set(datasources.map(({ uid }) => uid)));
    expect(datasources.every(({ type }) => type === 'prometheus')).toBe(true);
    expect(new Set(dashboards.map(({ uid }) => uid)).size).toBe(dashboards.length);
    expect(parseYaml(textOf('grafana/provisioning/dashboards/plumbline.yaml'))).toMatchObject({ apiVersion: 1 });
  });
});
