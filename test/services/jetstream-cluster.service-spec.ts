import { jetstreamManager, type JetStreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { openJetStreamPointLog, parseJetStreamUrl, PointLogUnavailableError } from '#libs/point-log';
import { type PointLogOpening, pointLogContract } from '../../libs/point-log/src/point-log.contract.js';
import { AppendingSender, pointAt, timesFrom } from '../support/appending-sender.js';
import { type NatsServer, natsCluster } from '../support/nats.js';
import { PermanentError, until } from '../support/product.js';

describe('JetStreamPointLog with three replicas', () => {
  let servers: NatsServer[];
  let connection: NatsConnection;
  let manager: JetStreamManager;
  let logs = 0;

  beforeAll(async () => {
    servers = await natsCluster(3);
    connection = await connect({ servers: servers.map(({ host }) => host) });
    // The cluster answers no request until it has elected a leader.
    manager = await until('the cluster', () => jetstreamManager(connection), { timeoutMs: 120_000 });
  }, 240_000);
  afterAll(async () => {
    await connection.close();
    await Promise.all(servers.map((server) => server.dispose()));
  });

  const opener = (stream: string, among: readonly NatsServer[] = servers) => {
    const hosts = among.map(({ host }) => host);
    const address = parseJetStreamUrl(`nats://${hosts.join(',')}?stream=${stream}&replicas=3`);
    const open = (opening: PointLogOpening) =>
      openJetStreamPointLog({ address, now: () => Date.now() / 1000, ...opening }).catch((error: unknown) => {
        // Leaders of new streams are still being elected; any other error is final.
        if (error instanceof PointLogUnavailableError) throw error;
        throw new PermanentError((error as Error).message, { cause: error });
      });
    return (opening: PointLogOpening) => until('the log', () => open(opening), { timeoutMs: 120_000 });
  };

  // While the cluster elects a new leader, for instance after servers were stopped, it refuses all requests.
  const deleteStreams = (prefix: string) =>
    until(
      'the streams to be deleted',
      async () => {
        for await (const name of manager.streams.names()) {
          if (name.startsWith(prefix)) await manager.streams.delete(name);
        }
        return true;
      },
      { timeoutMs: 60_000 },
    );

  describe('as a PointLog', () => {
    pointLogContract(async () => {
      const stream = `contract-${String(++logs)}`;
      return {
        open: opener(stream),
        async dispose() {
          await deleteStreams(`${stream}-`);
        },
      };
    });
  });

  // A server acknowledges a repeated message as a duplicate even before the other servers have agreed to it. Such an
  // acknowledgement has no sequence number.
  it('acknowledges no append that only one of three servers has', async () => {
    const stream = 'alone';
    await (await opener(stream)({ partitions: 1 })).close();
    const leader = await until('a leader', async () => {
      const { cluster } = await manager.streams.info(`${stream}-0`);
      return servers.find((_, index) => cluster?.leader === `n${String(index)}`);
    });
    const log = await opener(stream, [leader])({ partitions: 1 });
    const others = servers.filter((server) => server !== leader);
    for (const server of others) server.signal('SIGSTOP');
    try {
      await expect(log.append(pointAt(1), 'live')).rejects.toThrow(PointLogUnavailableError);
    } finally {
      for (const server of others) server.signal('SIGCONT');
    }
    await until('points to be taken again', () => log.append(pointAt(2), 'live').then(() => true), {
      timeoutMs: 120_000,
    });
    expect(await until('them to be read', () => timesFrom(log, 0))).toContain(2);
    await log.close();
  }, 240_000);

  it('repeats appends that the servers have acknowledged and lost', async () => {
    const [stream, name] = ['lossy', 'lossy-0'];
    const log = await opener(stream)({ partitions: 1 });
    for (const time of [1, 2, 3]) await log.append(pointAt(time), 'live');
    const { config } = await manager.streams.info(name);
    await manager.streams.delete(name);
    await manager.streams.add(config);
    await until('another leader', () =>
      connection.request(`$JS.API.STREAM.LEADER.STEPDOWN.${name}`, '', { timeout: 2000 }),
    );
    // Readers are past the positions that are assigned a second time.
    await until('the points to be there again', async () => (await timesFrom(log, 0, 3)).join() === '1,2,3');
    await log.close();
  }, 120_000);

  // This test must be last: it kills a server.
  it('keeps all acknowledged appends when one of three servers is killed', async () => {
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
