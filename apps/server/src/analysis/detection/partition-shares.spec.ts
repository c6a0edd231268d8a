import { Logger } from '@nestjs/common';
import { type DetectionMembersRepository } from './detection-members.repository.js';
import { type Holding, PartitionSharesService } from './partition-shares.service.js';

const PARTITIONS = 8;

/** The members in memory instead of the table. */
class Members {
  readonly ids = new Set<string>();
  isUnavailable = false;

  report(id: string): Promise<string[]> {
    if (this.isUnavailable) return Promise.reject(new Error('connect ECONNREFUSED'));
    this.ids.add(id);
    return Promise.resolve([...this.ids]);
  }

  remove(id: string): Promise<void> {
    this.ids.delete(id);
    return Promise.resolve();
  }
}

describe('the partitions of a process', () => {
  let members: Members;

  beforeEach(() => {
    members = new Members();
    Logger.overrideLogger(false);
  });

  const aProcess = () =>
    new PartitionSharesService(members as unknown as DetectionMembersRepository, { partitions: PARTITIONS });
  const takeAll = (shares: PartitionSharesService) =>
    Array.from({ length: PARTITIONS }, (_, partition) => shares.take(partition)).filter(
      (holding): holding is Holding => holding !== null,
    );

  it('are none before the process has joined, and all while it is alone', async () => {
    const shares = aProcess();
    expect(takeAll(shares)).toHaveLength(0);
    await shares.join();
    expect(takeAll(shares)).toHaveLength(PARTITIONS);
    expect(shares.take(0)).toBeNull();
  });

  it('are partly handed over when another process joins, last partitions first', async () => {
    const first = aProcess();
    await first.join();
    const held = takeAll(first);
    const second = aProcess();
    await second.join();
    expect(takeAll(second)).toHaveLength(PARTITIONS / 2);
    await first.join();
    const isMeant = Array.from({ length: PARTITIONS }, (_, partition) => partition >= PARTITIONS / 2);
    expect(held.map(({ handOver }) => handOver.aborted)).toEqual(isMeant);
    // Partitions count until they are released, so no other one is acquired.
    expect(first.take(7)).toBeNull();
    for (const holding of held.slice(PARTITIONS / 2)) holding.end();
    expect(first.take(7)).toBeNull();
  });

  it('increase when another process leaves', async () => {
    const [first, second] = [aProcess(), aProcess()];
    await first.join();
    await second.join();
    await first.join();
    expect(takeAll(first)).toHaveLength(PARTITIONS / 2);
    const stop = new AbortController();
    stop.abort();
    await second.run(stop.signal);
    await first.join();
    expect(takeAll(first)).toHaveLength(PARTITIONS / 2);
  });

  it('stay the same while the database is unreachable', async () => {
    const shares = aProcess();
    await shares.join();
    const held = takeAll(shares);
    members.isUnavailable = true;
    await shares.join();
    expect(held.some(({ handOver }) => handOver.aborted)).toBe(false);
  });
});
