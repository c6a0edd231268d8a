import { type SeriesColumns, type SeriesQuery, type SeriesStore } from '../../platform/storage/storage.types.js';

/** Maximum number of windows in one statement. */
const MAX_TOGETHER = 256;

interface Waiting {
  query: SeriesQuery;
  resolve(columns: SeriesColumns): void;
  reject(error: unknown): void;
}

/** Combines reads that start together into one call of the store: work on many series then waits for few statements. */
export class GatheredReads {
  private waiting: Waiting[] = [];

  constructor(private readonly store: Pick<SeriesStore, 'readMany'>) {}

  read(query: SeriesQuery): Promise<SeriesColumns> {
    return new Promise((resolve, reject) => {
      if (this.waiting.length === 0) queueMicrotask(() => this.sendAll());
      this.waiting.push({ query, resolve, reject });
    });
  }

  private sendAll(): void {
    const all = this.waiting;
    this.waiting = [];
    for (let first = 0; first < all.length; first += MAX_TOGETHER)
      void this.send(all.slice(first, first + MAX_TOGETHER));
  }

  private async send(together: readonly Waiting[]): Promise<void> {
    try {
      const columns = await this.store.readMany(together.map(({ query }) => query));
      together.forEach(({ resolve }, i) => {
        resolve(columns[i]!);
      });
    } catch (error) {
      for (const { reject } of together) reject(error);
    }
  }
}
