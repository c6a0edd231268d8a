import { openJetStreamPointLog, parseJetStreamUrl, type PointLog } from '#libs/point-log';
import { AppendingSender } from '../support/appending-sender.js';
import { pause } from '../support/ledger.js';
import { type NatsServer, natsClusterAt } from '../support/nats.js';
import { until } from '../support/product.js';
import { createNetwork, type Host, type Network } from './network.js';

const PARTITIONS = 8;
/** Set by `npm run test:cluster -- --short`: one host is cut off and killed. */
const IS_SHORT = process.env.PLUMBLINE_CLUSTER === 'short';
const TIMEOUT_MS = 180_000;
const CUT_MS = 15_000;
const DOWN_MS = 5000;
/** Pause between two failures. */
const WHOLE_MS = 5000;

/** Reads a partition while it grows, as detection does. */
class Follower {
  readonly times = new Set<number>();
  private position = 0;
  private isOver = false;
  private readonly running: Promise<void>;

  constructor(
    private readonly log: PointLog,
    private readonly partition: number,
  ) {
    this.running = this.run();
  }

  finish(): Promise<void> {
    this.isOver = true;
    return this.running;
  }

  private async run(): Promise<void> {
    while (!this.isOver) {
      const appended = this.log.waitForAppend(1000);
      const records = await this.log.read(this.partition, this.position, 10_000).catch(() => []);
      for (const { position, batch } of records) {
        this.position = position;
        for (const time of batch.timestamps) this.times.add(time);
      }
      if (records.length === 0) await appended;
    }
  }
}

describe('the point log on three hosts', () => {
  let network: Network;
  let servers: NatsServer[];

  beforeAll(async () => {
    network = await createNetwork(3);
    servers = await natsClusterAt(network.hosts);
  }, 240_000);

  afterAll(async () => {
    await Promise.all(servers.map((server) => server.dispose()));
    await network.dispose();
  });

  const open = () => {
    const hosts = servers.map(({ host }) => host).join();
    const address = parseJetStreamUrl(`nats://${hosts}?replicas=3`);
    const opening = () => openJetStreamPointLog({ address, now: () => Date.now() / 1000, partitions: PARTITIONS });
    return until('the log', opening, { timeoutMs: TIMEOUT_MS });
  };

  async function cutOff(host: Host): Promise<void> {
    await host.cutOff();
    await pause(CUT_MS);
    await host.plugIn();
  }

  async function kill(server: NatsServer): Promise<void> {
    await server.stop('SIGKILL');
    await pause(DOWN_MS);
    await server.start();
  }

  it('keeps every acknowledged append, and delivers it to readers, while each host is cut off and killed', async () => {
    const logs = await Promise.all([open(), open(), open()]);
    // Each batch has one point for each partition.
    const series = Array.from({ length: PARTITIONS }, (_, id) => id);
    const senders = [0, 1_000_000].map(
      (first, index) => new AppendingSender(logs[index]!, { series, first, pauseMs: 5 }),
    );
    const followers = Array.from({ length: PARTITIONS }, (_, partition) => new Follower(logs[2], partition));
    for (const [index, host] of network.hosts.slice(0, IS_SHORT ? 1 : 3).entries()) {
      await cutOff(host);
      await pause(WHOLE_MS);
      await kill(servers[index]!);
      await pause(WHOLE_MS);
    }
    for (const sender of senders) await sender.finish();
    const acknowledged = senders.flatMap((sender) => sender.acknowledged);
    const unseen = (): string[] =>
      followers.flatMap(({ times }, partition) =>
        acknowledged
          .filter((time) => !times.has(time))
          .map((time) => `${String(time)} of partition ${String(partition)}`),
      );
    await until('all to be shown', async () => unseen().length === 0, { timeoutMs: TIMEOUT_MS }).catch(() => undefined);
    for (const follower of followers) await follower.finish();
    process.stdout.write(`${String(acknowledged.length)} appends acknowledged, by both senders\n`);
    expect(unseen()).toEqual([]);
    await Promise.all(logs.map((log) => log.close()));
  }, 3_600_000);
});
