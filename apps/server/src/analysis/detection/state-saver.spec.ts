import { Logger } from '@nestjs/common';
import { HandClock } from '../../../../../test/support/hand-clock.js';
import { MAX_PROGRESS_LAG_SECONDS } from '../../data/chips/metric-state-sql.js';
import { DetectionConfig } from './detection.config.js';
import { ShardHost } from './shard-host.js';
import { type SaverParts, StateSaver } from './state-saver.js';

/** One of eight partitions. Each send covers all series or one; written progress is recorded. */
class Partition {
  readonly clock = new HandClock();
  /** The latest written value of each series, in the order of writing. */
  readonly written: [id: number, value: number][] = [];
  readonly saver: StateSaver;
  private readonly host = new ShardHost();
  private position = 0;

  pages = 0;

  constructor(
    private readonly series: number,
    checkpointSeconds = 1e9,
  ) {
    this.host.handle({ type: 'open', partition: 0, position: 0, appliedPosition: 0 });
    const parts = {
      log: { partitions: 8, trim: async () => undefined },
      effects: {
        placesApart: false,
        placePage: async () => ({ object: null }),
        storePage: async () => {
          this.pages++;
        },
        storeProgress: async (
          _owner: unknown,
          { progress }: { progress: { ids: Uint32Array; lastValues: Float64Array } },
        ) => {
          progress.ids.forEach((id, row) => this.written.push([id, progress.lastValues[row]!]));
        },
      },
      clock: this.clock,
      config: Object.assign(new DetectionConfig(), { checkpointSeconds }),
      logger: new Logger('test'),
      telemetry: { checkpointBytes: { inc: () => undefined }, checkpointPages: { set: () => undefined } },
    } as unknown as SaverParts;
    const call = async (request: Parameters<ShardHost['handle']>[0]) => this.host.handle(request);
    this.saver = new StateSaver({ partition: 0, epoch: 1 }, parts, call, new AbortController().signal, () => undefined);
  }

  /** Sends a value to all series or one. */
  send(value: number, only?: number): void {
    const ids = only === undefined ? Uint32Array.from({ length: this.series }, (_, i) => i + 1) : Uint32Array.of(only);
    const { outputs } = this.host.handle({
      type: 'apply',
      partition: 0,
      definitions: [...ids].map((id) => ({
        ...{ id, orgId: 1, type: 'gauge' as const, aggregation: 'last' as const, slotSeconds: 60 },
        ...{ timezone: 'UTC', mayBeCounter: false },
      })),
      inputs: [
        {
          kind: 'live',
          now: this.clock.now(),
          position: ++this.position,
          ids,
          timestamps: new Float64Array(ids.length).fill(this.clock.now()),
          values: new Float64Array(ids.length).fill(value),
        },
      ],
    });
    this.saver.recordOutputs(outputs);
  }

  /** Advances the clock, and returns the number of rows written then. */
  async after(seconds: number): Promise<number> {
    this.clock.seconds += seconds;
    const before = this.written.length;
    for (const work of await this.saver.takeWork()) await work();
    return this.written.length - before;
  }
}

describe('the progress of a partition', () => {
  it('is written every ten seconds for few series', async () => {
    const partition = new Partition(500);
    partition.send(1);
    expect(await partition.after(1)).toBe(500);
    partition.send(2);
    expect(await partition.after(8)).toBe(0);
    expect(await partition.after(60)).toBe(500);
    expect(await partition.after(60)).toBe(0);
  });

  it('is still written after the clock is set back', async () => {
    const partition = new Partition(10);
    partition.send(1);
    expect(await partition.after(20)).toBe(10);
    partition.send(2);
    expect(await partition.after(-3600)).toBe(0);
    expect(await partition.after(11)).toBe(10);
  });

  it('is saved in pages after the clock is set back', async () => {
    const partition = new Partition(10, 30);
    partition.send(1);
    await partition.after(31);
    expect(partition.pages).toBe(1);
    partition.send(2);
    await partition.after(-3600);
    await partition.after(31);
    expect(partition.pages).toBe(2);
  });

  it('is written in parts within seconds for many new series', async () => {
    const partition = new Partition(2000);
    partition.send(1);
    const rows: number[] = [];
    for (let seconds = 1; seconds <= 5; seconds++) rows.push(await partition.after(1));
    expect(rows).toEqual([625, 625, 625, 125, 0]);
    expect(new Set(partition.written.map(([id]) => id)).size).toBe(2000);
  });

  it('is written in parts for many series, each within five minutes', async () => {
    const series = 60_000;
    const partition = new Partition(series);
    partition.send(1);
    while (partition.written.length < series) await partition.after(1);
    const seen = new Set<number>();
    partition.send(2);
    for (let seconds = 0; seconds < MAX_PROGRESS_LAG_SECONDS; seconds += 10) {
      const from = partition.written.length;
      const rows = await partition.after(10);
      expect(rows).toBeLessThan(series / 5);
      for (const [id] of partition.written.slice(from)) seen.add(id);
    }
    expect(seen.size).toBe(series);
  });
});
