import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, LessThan, Not, type Repository } from 'typeorm';
import { sqlState, type Tx } from '../../common/database/transactions.js';
import { Housekeeping } from '../../common/housekeeping/housekeeping.decorator.js';
import { DAY, dateOf } from '../../common/time.js';
import { BenchmarkEntity, BenchmarkResultEntity } from './benchmark.entity.js';
import { BENCHMARK_KEPT_SECONDS, type ModelProgress } from './benchmark.types.js';

const TRACE_SECONDS = 30 * DAY;

const UNIQUE_VIOLATION = '23505';

export type NewBenchmark = Omit<BenchmarkEntity, 'place' | 'startedAt' | 'finishedAt' | 'beatAt' | 'tries' | 'mailed'>;

/** Benchmarks. They are only found by key, and processed in rotation between all organisations. */
@Injectable()
export class BenchmarkRepository {
  constructor(
    @InjectRepository(BenchmarkEntity) private readonly rows: Repository<BenchmarkEntity>,
    @InjectRepository(BenchmarkResultEntity) private readonly results: Repository<BenchmarkResultEntity>,
  ) {}

  private in(tx?: Tx): Repository<BenchmarkEntity> {
    return tx ? tx.getRepository(BenchmarkEntity) : this.rows;
  }

  /** Without its series. */
  findByKey(key: string, tx?: Tx): Promise<BenchmarkEntity | null> {
    return this.in(tx).findOneBy({ key });
  }

  /** Locks the row until the transaction ends. */
  findToChange(key: string, tx: Tx): Promise<BenchmarkEntity | null> {
    return this.in(tx).findOne({ where: { key }, lock: { mode: 'pessimistic_write' } });
  }

  async seriesOf(key: string): Promise<Buffer | null> {
    const row = await this.rows.findOne({ where: { key }, select: { key: true, series: true } });
    return row?.series ?? null;
  }

  /** Number of waiting benchmarks, and of those stored with their series. */
  async countAll(): Promise<{ waiting: number; kept: number }> {
    const [waiting, kept] = await Promise.all([
      this.rows.countBy({ status: 'queued' }),
      this.rows.countBy({ series: Not(IsNull()) }),
    ]);
    return { waiting, kept };
  }

  /** The free ones among the first `places` of a holder. */
  async freePlaces(holder: string, places: number): Promise<number[]> {
    const rows = await this.rows.find({ where: { holder, place: Not(IsNull()) }, select: { key: true, place: true } });
    const taken = new Set(rows.map(({ place }) => place));
    return Array.from({ length: places }, (_, index) => index + 1).filter((place) => !taken.has(place));
  }

  /** False if all places of the holder are taken. A row has megabytes, so only places that look free are tried. */
  async insert(row: NewBenchmark, holder: string, places: number): Promise<boolean> {
    for (const place of await this.freePlaces(holder, places)) {
      try {
        await this.rows.insert({ ...row, place });
        return true;
      } catch (error) {
        if (sqlState(error) !== UNIQUE_VIOLATION) throw error;
      }
    }
    return false;
  }

  async update(key: string, fields: Partial<BenchmarkEntity>, tx?: Tx): Promise<void> {
    await this.in(tx).update({ key }, fields);
  }

  /**
   * Claims the benchmark that has waited longest among those of starters without a running one; null if none waits.
   * @param now Unix seconds
   */
  async claimNext(now: number): Promise<BenchmarkEntity | null> {
    const [keys]: [{ key: string }[], number] = await this.rows.query(
      `UPDATE benchmark SET status = 'running', tries = tries + 1, beat_at = to_timestamp($1),
              started_at = coalesce(started_at, to_timestamp($1))
       WHERE key = (
         SELECT b.key FROM benchmark b
         WHERE b.status = 'queued'
           AND NOT EXISTS (SELECT FROM benchmark r WHERE r.status = 'running' AND r.party = b.party)
         ORDER BY b.created_at, b.key LIMIT 1 FOR UPDATE SKIP LOCKED)
       RETURNING key`,
      [now],
    );
    const key = keys[0]?.key;
    return key === undefined ? null : this.findByKey(key);
  }

  /** Reports them as running. */
  async beat(keys: readonly string[], at: Date): Promise<void> {
    if (keys.length > 0) await this.rows.update({ key: In([...keys]), status: 'running' }, { beatAt: at });
  }

  /** Those whose process has not reported since a time. */
  listAbandoned(before: Date): Promise<BenchmarkEntity[]> {
    return this.rows.findBy({ status: 'running', beatAt: LessThan(before) });
  }

  /** Returns it to the queue, unless another process has already done so. */
  async release(key: string, tries: number): Promise<void> {
    await this.rows.update({ key, status: 'running' }, { status: 'queued', beatAt: null, tries });
  }

  /** Saves the results of a model together with the progress of all models. */
  async saveResult(
    key: string,
    result: Omit<BenchmarkResultEntity, 'benchmarkKey'> | null,
    models: ModelProgress[],
  ): Promise<void> {
    await this.rows.manager.transaction(async (tx) => {
      await tx.getRepository(BenchmarkEntity).update({ key }, { models });
      if (result)
        await tx
          .getRepository(BenchmarkResultEntity)
          .upsert({ ...result, benchmarkKey: key }, ['benchmarkKey', 'model']);
    });
  }

  listResults(key: string): Promise<BenchmarkResultEntity[]> {
    return this.results.findBy({ benchmarkKey: key });
  }

  /**
   * Erases the contents of benchmarks that have expired at `now` (Unix seconds). Their rows are kept for another 30
   * days: their addresses then answer that they have expired.
   */
  @Housekeeping({ everyMs: 600_000, failure: 'Old benchmarks could not be erased', role: 'api' })
  async eraseExpired(now: number): Promise<void> {
    const createdBefore = dateOf(now - BENCHMARK_KEPT_SECONDS);
    await this.results.query(
      `DELETE FROM benchmark_result r USING benchmark b WHERE b.key = r.benchmark_key AND b.created_at < $1`,
      [createdBefore],
    );
    await this.rows.update(
      { createdAt: LessThan(createdBefore), series: Not(IsNull()) },
      { series: null, name: '', email: null, labels: [], models: [], party: null, holder: null, place: null },
    );
    await this.rows.delete({ createdAt: LessThan(dateOf(now - BENCHMARK_KEPT_SECONDS - TRACE_SECONDS)) });
  }
}
