import { readFile } from 'node:fs/promises';
import { type Balancer, startBalancer } from '../support/balancer.js';
import { type ExternalPostgres, externalPostgres } from '../support/external-postgres.js';
import { Ledger, pause } from '../support/ledger.js';
import { type Manifest, podOf, render, settingsOfPods } from '../support/manifests.js';
import { type Pod, startPod } from '../support/pod.js';
import { ADMIN, clientOf, type ProductClient } from '../support/product.js';
import { balance, IS_SHORT, NOTHING_WRONG, UNLIMITED } from './faults.js';

const ROLLOUTS = IS_SHORT ? 1 : 5;
/** Many small bodies with a pause, so that senders outlast the start of pods and each request is checked. */
const PLAN = { metricsPerLane: 5, pauseMs: 20 };
/** How long nodes and balancers keep sending to a pod that is being deleted; the pod allows for more. */
const PROPAGATION_MS = 3000;

describe('the deployment of deploy/kustomize/base, with the limits of its pods', () => {
  let manifests: Manifest[];
  let database: ExternalPostgres;
  let balancer: Balancer;
  let client: ProductClient;
  const pods: Pod[] = [];
  let ledger: Ledger | undefined;

  beforeAll(async () => {
    manifests = await render('base');
    database = await externalPostgres();
    balancer = await startBalancer();
    client = clientOf(balancer.url);
  }, 120_000);

  afterAll(async () => {
    await ledger?.abandon();
    for (const pod of pods) await pod.dispose();
    await balancer.close();
    await database.dispose();
  }, 240_000);

  async function start(kind: 'Deployment' | 'Job', name: string): Promise<Pod> {
    const secrets = { DATABASE_URL: database.url, PLUMBLINE_SECRET_KEY: 'ab'.repeat(32), ...ADMIN, ...UNLIMITED };
    const pod = await startPod(podOf(manifests, kind, name), settingsOfPods(manifests), secrets);
    pods.push(pod);
    return pod;
  }

  /** Starts a pod, which gets connections once it is ready. */
  async function serve(): Promise<Pod> {
    const pod = await start('Deployment', 'plumbline');
    await pod.ready();
    balancer.endpoints.add(pod.port);
    return pod;
  }

  /** Deletes a pod, which gets new connections for a while longer. */
  async function remove(pod: Pod): Promise<void> {
    const deleted = pod.delete();
    await pause(PROPAGATION_MS);
    balancer.endpoints.delete(pod.port);
    await expect(deleted).resolves.toBe(0);
  }

  it('loses no point when it is migrated, rolled out and stopped under load', async () => {
    const migration = await start('Job', 'plumbline-migrate');
    expect({ code: await migration.ended(), output: migration.output() }).toMatchObject({ code: 0 });

    let pod = await serve();
    const status = await readFile(`/proc/${String(pod.pid)}/status`, 'utf8');
    expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000$/m);
    expect(status).toMatch(/^CapEff:\t0+$/m);
    expect(status).toMatch(/^NoNewPrivs:\t1$/m);

    // Files for browsers, on a file system that is read-only.
    const page = await fetch(`${balancer.url}/`, { headers: { Accept: 'text/html' } });
    expect([page.status, page.headers.get('Content-Type')]).toEqual([200, 'text/html; charset=utf-8']);
    const script = /src="(\/assets\/[^"]+)"/.exec(await page.text())?.[1];
    if (script !== undefined) expect((await fetch(balancer.url + script)).status).toBe(200);

    const readToken = await client.createToken(['read']);
    ledger = new Ledger(client, await client.createToken(['ingest']), { ...PLAN, prefix: 'rollout' }).start();
    for (let rollout = 0; rollout < ROLLOUTS; rollout++) {
      await ledger.progress(30);
      const next = await serve();
      await remove(pod);
      pod = next;
      await ledger.progress(30);
    }
    // A pod was available for every connection at any time.
    expect({ refused: balancer.refused(), unserved: balancer.unserved() }).toEqual({ refused: 0, unserved: 0 });

    // Without a successor, senders wait for one. The deleted pod itself refuses no request that still reaches it.
    await remove(pod);
    expect(balancer.refused()).toBe(0);
    await serve();
    await ledger.progress(30);
    await expect(balance(ledger, readToken)).resolves.toEqual(NOTHING_WRONG);
  }, 900_000);
});
