import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { openJetStreamPointLog, parseJetStreamUrl, PointLogAwayError } from '#libs/point-log';
import { type PointLogOpening, pointLogContract } from '../../libs/point-log/src/point-log.contract.js';
import { AppendingSender, timesFrom } from '../support/appending-sender.js';
import { type NatsServer, natsCluster } from '../support/nats.js';
import { HopelessError, until } from '../support/product.js';

describe('JetStreamPointLog with three replicas', () => {
  let servers: NatsServer[];
  let connection: NatsConnection;
  let manager: JetStreamManager;
  let logs = 0;

  beforeAll(async () => {
    servers = await natsCluster(3);
    connection = await connect({ servers: servers.map(({ host }) => host) });
    // Until it has elected its leader, the cluster answers nothing.
    manager = await until('the cluster', () => jetstreamManager(connection), { timeoutMs: 120_000 });
  }, 240_000);
  afterAll(async () => {
    await connection.close();
    await Promise.all(servers.map((server) => server.dispose()));
  });

  const opener = (stream: string) => {
    const hosts = servers.map(({ host }) => host);
    const address = parseJetStreamUrl(`nats://${hosts.join(',')}?stream=${stream}&replicas=3`);
    const open = (opening: PointLogOpening) =>
      openJetStreamPointLog({ address, now: () => Date.now() / 1000, ...opening }).catch((error: unknown) => {
        // Leaders of new streams are still being elected; all else is an answer.
        if (error instanceof PointLogAwayError) throw error;
        throw new HopelessError((error as Error).message, { cause: error });
      });
    return (opening: PointLogOpening) => until('the log', () => open(opening), { timeoutMs: 120_000 });
  };

  pointLogContract(async () => {
    const stream = `contract-${String(++logs)}`;
    return {
      open: opener(stream),
      async dispose() {
        for await (const name of manager.streams.names()) {
          if (name.startsWith(`${stream}-`)) await manager.streams.delete(name);
        }
      },
    };
  });

  // Last: it kills one of the servers.
  it('keeps all that it acknowledged while one of three servers is killed', async () => {
    const open = opener('replicated');
    const log = await open({ partitions: 2 });
    const sender = new AppendingSender(log);
    await sender.progress(20);
    await servers[0]!.stop('SIGKILL');
    await sender.progress(20);
    const { acknowledged, sent } = await sender.finish();

    const other = await open({ partitions: 2 });
    const stored = await timesFrom(other, 1);
    expect(stored.filter((time) => !sent.includes(time))).toEqual([]);
    expect(acknowledged.filter((time) => !stored.includes(time))).toEqual([]);
    expect(stored).toEqual([...new Set(stored)].sort((a, b) => a - b));
    await Promise.all([log.close(), other.close()]);
  }, 240_000);
});
