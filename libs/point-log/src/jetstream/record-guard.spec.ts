import { type PointBatch, type RecordKind } from '../point-log.js';
import { RecordGuard } from './record-guard.js';

const MINUTE_MS = 60_000;

/** A simulated partition on servers, and a guard of its acknowledged records. */
class Servers {
  leader: string | null = 'n1';
  firstPosition = 1;
  readonly stored = new Map<number, string>();
  readonly appended: { batch: PointBatch; kind: RecordKind }[] = [];
  readonly warnings: string[] = [];
  reads = 0;
  isUnavailable = false;
  nowMs = 0;
  readonly guard = new RecordGuard(
    1,
    {
      inspect: async () => {
        if (this.isUnavailable) throw new Error('away');
        return { leader: this.leader, firstPosition: this.firstPosition };
      },
      messageIdAt: async (_, position) => {
        this.reads++;
        return this.stored.get(position) ?? null;
      },
      append: async (batch, kind) => {
        if (this.isUnavailable) throw new Error('away');
        this.appended.push({ batch, kind });
      },
      warn: (message) => this.warnings.push(message),
    },
    () => this.nowMs,
  );

  acknowledge(position: number): void {
    this.stored.set(position, `id${String(position)}`);
    this.guard.keep({
      partition: 0,
      position,
      messageId: `id${String(position)}`,
      kind: 'live',
      batch: batchOf(position),
    });
  }

  async checkAfter(milliseconds: number): Promise<void> {
    this.nowMs += milliseconds;
    await this.guard.check();
  }
}

const batchOf = (value: number): PointBatch => ({
  ids: Uint32Array.of(8),
  timestamps: Float64Array.of(value),
  values: Float64Array.of(value),
});

describe('RecordGuard', () => {
  let servers: Servers;

  beforeEach(async () => {
    servers = new Servers();
    for (const position of [1, 2, 3]) servers.acknowledge(position);
    await servers.checkAfter(0);
    // Waits until the guard no longer doubts the leader.
    await servers.checkAfter(16_000);
  });

  it('appends lost records again after a change of leader', async () => {
    servers.stored.delete(3);
    servers.stored.set(2, 'of another');
    await servers.checkAfter(0);
    expect(servers.appended).toEqual([]);
    servers.leader = 'n2';
    await servers.checkAfter(4000);
    expect(servers.appended).toEqual([
      { batch: batchOf(2), kind: 'live' },
      { batch: batchOf(3), kind: 'live' },
    ]);
    expect(servers.warnings).toEqual([
      expect.stringMatching(/^2 acknowledged records of partition 0 were lost when n2/),
    ]);
    await servers.checkAfter(4000);
    expect(servers.appended).toHaveLength(2);
  });

  it('checks again for some seconds and after a time without a leader, but not otherwise', async () => {
    servers.leader = 'n2';
    await servers.checkAfter(4000);
    servers.stored.delete(1);
    await servers.checkAfter(4000);
    expect(servers.appended).toHaveLength(1);
    await servers.checkAfter(16_000);
    const { reads } = servers;
    await servers.checkAfter(4000);
    expect(servers.reads).toBe(reads);
    servers.leader = null;
    await servers.checkAfter(4000);
    servers.leader = 'n2';
    await servers.checkAfter(4000);
    expect(servers.reads).toBeGreaterThan(reads);
  });

  it('checks again after a failed check, also with the same leader', async () => {
    servers.stored.delete(2);
    servers.isUnavailable = true;
    await servers.checkAfter(4000);
    servers.isUnavailable = false;
    await servers.checkAfter(4000);
    expect(servers.appended).toEqual([{ batch: batchOf(2), kind: 'live' }]);
    servers.stored.delete(3);
    await servers.checkAfter(20_000);
    servers.guard.suspect(0);
    await servers.checkAfter(0);
    expect(servers.appended).toHaveLength(2);
  });

  it('does not append trimmed records again', async () => {
    servers.leader = 'n2';
    servers.firstPosition = 3;
    servers.stored.delete(1);
    servers.stored.delete(2);
    await servers.checkAfter(4000);
    expect(servers.appended).toEqual([]);
  });

  it('retries failed appends, and keeps records for at most a minute', async () => {
    servers.leader = 'n2';
    servers.stored.clear();
    servers.isUnavailable = true;
    await servers.checkAfter(4000);
    servers.isUnavailable = false;
    await servers.checkAfter(4000);
    expect(servers.appended).toHaveLength(3);
    servers.acknowledge(4);
    servers.stored.delete(4);
    servers.leader = 'n3';
    await servers.checkAfter(MINUTE_MS + 1);
    expect(servers.appended).toHaveLength(3);
  });

  it('keeps copies up to a limited number of bytes', async () => {
    const many = 1_000_000;
    const large = { ids: new Uint32Array(many), timestamps: new Float64Array(many), values: new Float64Array(many) };
    for (let position = 4; position < 10; position++) {
      servers.guard.keep({ partition: 0, position, messageId: 'lost', kind: 'live', batch: large });
    }
    structuredClone(large, { transfer: [large.ids.buffer, large.timestamps.buffer, large.values.buffer] });
    servers.leader = 'n2';
    await servers.checkAfter(4000);
    expect(servers.appended.map(({ batch }) => batch.ids.length)).toEqual([many, many, many]);
  });
});
