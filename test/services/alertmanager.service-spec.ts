import { type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../scripts/free-port.mjs';
import { aMessage, anItem, IntegrationApp } from '../support/integration-app.js';
import { until } from '../support/product.js';
import { endProgram, startProgram } from '../support/programs.js';

interface ShownAlert {
  labels: Record<string, string>;
  annotations: Record<string, string>;
  startsAt: string;
  endsAt: string;
  generatorURL: string;
  status: { state: string };
}

/** A real Alertmanager with the settings of Debian, except for its folder and ports. */
describe('an Alertmanager that receives alerts', () => {
  let app: IntegrationApp;
  let orgId: number;
  let folder: string;
  let alertmanager: ChildProcess | undefined;
  let url: string;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'plumbline-alertmanager-'));
    const port = await freePort();
    url = `http://127.0.0.1:${String(port)}`;
    await writeFile(join(folder, 'alertmanager.yml'), 'route: { receiver: none }\nreceivers: [{ name: none }]\n');
    alertmanager = startProgram(
      'prometheus-alertmanager',
      [
        `--config.file=${join(folder, 'alertmanager.yml')}`,
        `--storage.path=${join(folder, 'data')}`,
        `--web.listen-address=127.0.0.1:${String(port)}`,
        '--cluster.listen-address=',
      ],
      { stdio: 'ignore' },
    );
    app = await IntegrationApp.create();
    orgId = (await app.anOrg()).id;
    await app.connect(orgId, 'alertmanager', { url, extra_labels: { team: 'shop' } });
    await until('the Alertmanager to be ready', async () =>
      (await fetch(`${url}/-/ready`).catch(() => null))?.ok === true ? true : undefined,
    );
  });

  afterAll(async () => {
    await app.close();
    await endProgram(alertmanager);
    await rm(folder, { recursive: true, force: true });
  });

  /** Alerts that have not ended. */
  const active = async (): Promise<ShownAlert[]> =>
    (await (await fetch(`${url}/api/v2/alerts`)).json()) as ShownAlert[];

  it('shows the alert, extends it on repetition, and removes it on recovery', async () => {
    const start = Math.floor(Date.now() / 1000) - 60;
    app.clock.seconds = start + 60;
    const items = [anItem({ start })];
    await app.send('alertmanager', aMessage(orgId, { items }));
    const [alert, ...others] = await active();
    expect(others).toEqual([]);
    expect(alert).toMatchObject({
      labels: {
        alertname: 'PlumblineAnomaly',
        metric: 'http_requests_total{job="api"}',
        kind: 'spike',
        severity: 'critical',
        watcher: 'API errors',
        job: 'api',
        service_name: 'shop',
        team: 'shop',
      },
      annotations: {
        summary: 'http_requests_total is far above its range',
        description: '8421.5 where 3350.5 to 4870 is usual.',
      },
      generatorURL: 'https://plumbline.example.org/incident/41',
      status: { state: 'active' },
    });
    expect(Date.parse(alert!.startsAt) / 1000).toBe(start);
    expect(Date.parse(alert!.endsAt) / 1000).toBe(start + 660);

    app.clock.seconds += app.channel('alertmanager').repeatSeconds!;
    await app.send('alertmanager', aMessage(orgId, { items, phase: 'updated' }));
    const refreshed = await active();
    expect(refreshed.map(({ endsAt }) => Date.parse(endsAt) / 1000)).toEqual([start + 900]);
    expect(Date.parse(refreshed[0]!.startsAt) / 1000).toBe(start);

    const ended = [anItem({ start, end: start + 30 })];
    await app.send('alertmanager', aMessage(orgId, { items: ended, phase: 'recovered', end: start + 30 }));
    await until('the alert to end', async () => ((await active()).length === 0 ? true : undefined));
  });
});
