import { createHash } from 'node:crypto';
import { type DataSource } from 'typeorm';
import { Transactions } from '../../common/database/transactions.js';
import { DetectionCheckpointRepository } from './detection-checkpoint.repository.js';
import { DetectionCheckpointsService } from './detection-checkpoints.service.js';
import { PartitionLostError } from './detection.errors.js';
import { type PartitionOwner } from './detection.types.js';
import { type PageBytes, type RestoredPage } from './page-bytes.js';
import { type TakenPage } from './shard-host.js';

/** A separate installation. */
export interface PageBytesFixture {
  dataSource: DataSource;
  /** Each call acts as a new process. */
  open(checkpoints: DetectionCheckpointRepository): Promise<PageBytes>;
  dispose(): Promise<void>;
}

/** A process that saves pages in the order that PageBytes requires. */
export class PageSaver {
  private constructor(
    private readonly transactions: Transactions,
    private readonly checkpoints: DetectionCheckpointsService,
    private readonly bytes: PageBytes,
  ) {}

  static async open({ dataSource, open }: Pick<PageBytesFixture, 'dataSource' | 'open'>): Promise<PageSaver> {
    const rows = new DetectionCheckpointRepository(dataSource);
    const bytes = await open(rows);
    return new PageSaver(new Transactions(dataSource), new DetectionCheckpointsService(rows, bytes), bytes);
  }

  async takeOver(partition: number): Promise<PartitionOwner> {
    const { epoch } = await this.checkpoints.takeOver(partition);
    return { partition, epoch };
  }

  /** Returns false if the partition was lost. */
  async save(owner: PartitionOwner, page: TakenPage): Promise<boolean> {
    const row = await this.checkpoints.place(owner, page);
    const saved = { page: row, replayAfter: page.position };
    try {
      const replaced = await this.transactions.run((tx) => this.checkpoints.save(owner, saved, tx));
      if (replaced !== null) this.checkpoints.forget(owner.partition, replaced);
      return true;
    } catch (error) {
      if (error instanceof PartitionLostError) return false;
      throw error;
    }
  }

  /** Simulates a process that is killed between the two steps. */
  async placeOnly(owner: PartitionOwner, page: TakenPage): Promise<void> {
    await this.checkpoints.place(owner, page);
  }

  read(partition: number): Promise<RestoredPage[]> {
    return this.checkpoints.pagesAfter(partition, -1, 100);
  }

  removeUnreferenced(partition: number): Promise<number> {
    return this.checkpoints.removeUnreferenced(partition);
  }

  close(): Promise<void> {
    return this.bytes.close();
  }
}

/** Incompressible bytes, equal for equal seeds. */
export function aPage(page: number, position: number, seed: number, size = 300_000): TakenPage {
  const bytes = new Uint8Array(size);
  for (let i = 0, x = seed + 1; i < size; i++) {
    x = (x * 48_271) % 2_147_483_647;
    bytes[i] = x & 0xff;
  }
  return { page, position, series: 256, bytes, definitions: Uint8Array.of(seed) };
}

/** The contract that every adapter of PageBytes must meet. */
export function pageBytesContract(create: () => Promise<PageBytesFixture>): void {
  let fixture: PageBytesFixture;
  let opened: PageSaver[];
  const open = async (): Promise<PageSaver> => {
    const saver = await PageSaver.open(fixture);
    opened.push(saver);
    return saver;
  };
  const digest = ({ page, bytes }: RestoredPage | TakenPage) => [
    page,
    createHash('sha256').update(bytes).digest('hex'),
  ];
  const bytesOf = (pages: readonly RestoredPage[]) => pages.map(digest);
  const asSaved = (...pages: TakenPage[]) => pages.map(digest);

  beforeEach(async () => {
    fixture = await create();
    opened = [];
  });
  afterEach(async () => {
    await Promise.all(opened.map((saver) => saver.close()));
    await fixture.dispose();
  });

  it('returns the pages of a partition with their positions to another process', async () => {
    const saver = await open();
    const owner = await saver.takeOver(1);
    const pages = [aPage(0, 10, 1), aPage(3, 12, 2), aPage(7, 11, 3, 900_000)];
    for (const page of pages) await saver.save(owner, page);
    await saver.save(await saver.takeOver(0), aPage(0, 5, 9));

    const found = await (await open()).read(1);

    expect(bytesOf(found)).toEqual(asSaved(...pages));
    expect(found.map(({ position, series, lost }) => [position, series, lost])).toEqual([
      [10, 256, null],
      [12, 256, null],
      [11, 256, null],
    ]);
  });

  it('returns the newest version of a page that was saved repeatedly, and leaves no unreferenced bytes', async () => {
    const saver = await open();
    const owner = await saver.takeOver(0);
    for (const [position, seed] of [1, 2, 2, 3, 3, 2].entries()) await saver.save(owner, aPage(0, position, seed));
    await saver.close();

    const next = await open();
    const [page] = await next.read(0);

    expect(page).toMatchObject({ position: 5, lost: null });
    expect(bytesOf([page!])).toEqual(asSaved(aPage(0, 5, 2)));
    expect(await next.removeUnreferenced(0)).toBe(0);
  });

  it('ignores writes of a process that has lost the partition', async () => {
    const [before, after] = [await open(), await open()];
    const lost = await before.takeOver(0);
    await before.save(lost, aPage(0, 1, 1));
    const owner = await after.takeOver(0);

    expect(await before.save(lost, aPage(0, 2, 2))).toBe(false);
    expect(bytesOf(await after.read(0))).toEqual(asSaved(aPage(0, 1, 1)));
    await after.save(owner, aPage(0, 2, 2));
    expect(await before.save(lost, aPage(0, 3, 3))).toBe(false);
    await after.removeUnreferenced(0);

    expect(bytesOf(await after.read(0))).toEqual(asSaved(aPage(0, 2, 2)));
  });

  it('keeps referenced pages when a new owner removes the leftovers of a killed process', async () => {
    const killed = await open();
    const owner = await killed.takeOver(0);
    await killed.save(owner, aPage(0, 1, 1));
    await killed.save(owner, aPage(1, 1, 2));
    await killed.placeOnly(owner, aPage(1, 2, 3));

    const next = await open();
    await next.takeOver(0);
    await next.removeUnreferenced(0);

    expect(bytesOf(await next.read(0))).toEqual(asSaved(aPage(0, 1, 1), aPage(1, 1, 2)));
    expect(await next.removeUnreferenced(0)).toBe(0);
  });
}
