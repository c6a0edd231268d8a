import { openJetStreamPointLog, parseJetStreamUrl } from '#libs/point-log';
import { AppendingSender, timesFrom } from '../support/appending-sender.js';
import { type NatsServer, natsCluster } from '../support/nats.js';
import { until } from '../support/product.js';

describe('JetStreamPointLog with three replicas', () => {
  let servers: NatsServer[];
  beforeAll(async () => {
    servers = await natsCluster(3);
  }, 120_000);
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.dispose()));
  });

  it('keeps all that it acknowledged while one of three servers is killed', async () => {
    const hosts = servers.map(({ host }) => host);
    const address = parseJetStreamUrl(`nats://${hosts.join(',')}?stream=replicated&replicas=3`);
    const openIt = () => openJetStreamPointLog({ address, now: () => Date.now() / 1000, partitions: 2 });
    const log = await until('the cluster', openIt, { timeoutMs: 120_000 });
    const sender = new AppendingSender(log);
    await sender.progress(20);
    await servers[0]!.stop('SIGKILL');
    await sender.progress(20);
    const { acknowledged, sent } = await sender.finish();

    const other = await until('another user', openIt, { timeoutMs: 120_000 });
    const stored = await timesFrom(other, 1);
    expect(stored.filter((time) => !sent.includes(time))).toEqual([]);
    expect(acknowledged.filter((time) => !stored.includes(time))).toEqual([]);
    expect(stored).toEqual([...new Set(stored)].sort((a, b) => a - b));
    await Promise.all([log.close(), other.close()]);
  }, 240_000);
});
