import type pg from 'pg';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { until } from '../support/product.js';

/** For each partition the host that holds its lock, and the position up to which effects are stored. */
const PARTITIONS = `
  SELECT c."partition", c.epoch, c.applied_position::float8 AS applied, host(a.client_addr) AS owner
  FROM detection_checkpoint c
  LEFT JOIN pg_locks l ON l.locktype = 'advisory' AND l.granted AND l.classid = ${String(DATABASE_LOCKS.detectionPartition.number)}
    AND l.objid = c."partition" AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
  LEFT JOIN pg_stat_activity a ON a.pid = l.pid
  ORDER BY c."partition"`;

/** Interval between two queries, which is the accuracy of the measured times. */
const EVERY_MS = 100;

interface Partition {
  partition: number;
  epoch: number;
  applied: number;
  owner: string | null;
}

/** Watches in the database which host detects in which partition. */
export class DetectionWatch {
  constructor(
    private readonly database: pg.Client,
    private readonly partitions: number,
  ) {}

  /**
   * Waits until detection continues in every partition: its owner is not on the failed host, and has stored effects of
   * points since now. Senders must be sending to all partitions.
   * @param gone address of the failed host, if there is one
   * @returns seconds it took
   */
  async waitForDetection(gone: string | null, timeoutMs: number): Promise<number> {
    const began = performance.now();
    const before = await this.now();
    // Partitions with a new owner, in the state in which the owner found them.
    const found = new Map<number, Partition>();
    await until(
      'detection to go on in all partitions',
      async () => {
        const all = await this.now();
        if (all.length < this.partitions) return false;
        return all.every((now) => {
          if (now.owner === null || now.owner === gone) return false;
          const was = before.find(({ partition }) => partition === now.partition);
          if (was !== undefined && was.epoch === now.epoch) return was.owner !== gone && now.applied > was.applied;
          const taken = found.get(now.partition);
          if (taken?.epoch !== now.epoch) found.set(now.partition, now);
          return taken !== undefined && taken.epoch === now.epoch && now.applied > taken.applied;
        });
      },
      { timeoutMs, everyMs: EVERY_MS },
    );
    return (performance.now() - began) / 1000;
  }

  /** Waits until this number of hosts have partitions. Returns the seconds it took. */
  async isShared(hosts: number, timeoutMs: number): Promise<number> {
    const began = performance.now();
    await until(
      `${String(hosts)} hosts to share the partitions`,
      async () => {
        const owners = (await this.now()).map(({ owner }) => owner);
        return owners.length === this.partitions && !owners.includes(null) && new Set(owners).size === hosts;
      },
      { timeoutMs, everyMs: EVERY_MS },
    );
    return (performance.now() - began) / 1000;
  }

  private async now(): Promise<Partition[]> {
    return (await this.database.query<Partition>(PARTITIONS)).rows;
  }
}
