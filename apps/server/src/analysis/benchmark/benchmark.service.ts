import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import { BenchmarkAnnouncementsService } from './benchmark-announcements.service.js';
import { type BenchmarkModelId } from './benchmark-models.types.js';
import { toBenchmarkDto, toFiguresDto } from './benchmark-presenter.js';
import { type BenchmarkEntity, type BenchmarkResultEntity } from './benchmark.entity.js';
import { BenchmarkExpiredError, BenchmarkNotFinishedError, BenchmarkNotFoundError } from './benchmark.errors.js';
import { BenchmarkRepository } from './benchmark.repository.js';
import { BENCHMARK_KEPT_SECONDS, type ChartColumns } from './benchmark.types.js';
import { columnsAt, rowsForChart, unpackChart } from './chart-rows.js';
import {
  type BenchmarkAnswerDto,
  type BenchmarkChangedDto,
  type BenchmarkChartDataDto,
  type BenchmarkModelDataDto,
} from './dto/benchmark.dto.js';
import { type BenchmarkMailParams, type ChartDataParams } from './dto/benchmark.params.js';

/** Reads benchmarks; the key is the permission. */
@Injectable()
export class BenchmarkService {
  constructor(
    private readonly benchmarks: BenchmarkRepository,
    private readonly announcements: BenchmarkAnnouncementsService,
    private readonly clock: Clock,
  ) {}

  /** @throws BenchmarkNotFoundError, BenchmarkExpiredError */
  async getStatus(key: string): Promise<BenchmarkAnswerDto> {
    return { benchmark: toBenchmarkDto(await this.getRow(key)) };
  }

  /** @throws MailNotConfiguredError, RateLimitedError, BenchmarkMailSentError, and the errors of `getStatus` */
  async setEmail(address: string, { benchmark_id: key, email }: BenchmarkMailParams): Promise<BenchmarkChangedDto> {
    await this.announcements.requireAllowed(address, email);
    await this.getRow(key);
    await this.announcements.setEmail(key, email);
    const { benchmark } = await this.getStatus(key);
    return { benchmark, message: 'OK' };
  }

  /** @throws BenchmarkNotFinishedError, and the errors of `getStatus` */
  async getChartData({ benchmark_id: key, model, max_points: most }: ChartDataParams): Promise<BenchmarkChartDataDto> {
    const row = await this.getRow(key);
    const results = await this.resultsOf(row, model);
    const drawn = results.map((result) => ({ result, columns: thinned(unpackChart(result.columns), most) }));
    const { timestamps, values } = drawn[0]!.columns;
    return {
      benchmark_id: key,
      name: row.name,
      labels: row.labels,
      timeseries: Array.from(timestamps, (timestamp, at) => [timestamp, finite(values[at]!)]),
      models: drawn.map(({ result, columns }) => toModelData(row, result, columns)),
    };
  }

  private async resultsOf(row: BenchmarkEntity, model: BenchmarkModelId | undefined): Promise<BenchmarkResultEntity[]> {
    if (row.status !== 'finished') throw new BenchmarkNotFinishedError();
    const all = await this.benchmarks.listResults(row.key);
    // In the requested order.
    const ids = model === undefined ? row.models.map(({ id }) => id) : [model];
    const results = ids.flatMap((id) => all.filter((result) => result.model === id));
    if (results.length === 0) throw new BenchmarkNotFinishedError('The benchmark has no result of this model.');
    return results;
  }

  private async getRow(key: string): Promise<BenchmarkEntity> {
    const row = await this.benchmarks.findByKey(key);
    if (!row) throw new BenchmarkNotFoundError();
    if (row.createdAt.getTime() / 1000 + BENCHMARK_KEPT_SECONDS <= this.clock.now()) throw new BenchmarkExpiredError();
    return row;
  }
}

function thinned(columns: ChartColumns, most: number): ChartColumns {
  return columnsAt(columns, rowsForChart(columns.values, most));
}

function toModelData(
  row: BenchmarkEntity,
  result: BenchmarkResultEntity,
  columns: ChartColumns,
): BenchmarkModelDataDto {
  const { timestamps, lower, upper, scores } = columns;
  const progress = row.models.find(({ id }) => id === result.model)!;
  return {
    id: progress.id,
    expected_range: Array.from(timestamps, (timestamp, at): [number, number, number] => [
      timestamp,
      lower[at]!,
      upper[at]!,
    ]).filter(([, low, high]) => Number.isFinite(low) && Number.isFinite(high)),
    scores: Array.from(timestamps, (timestamp, at) => [timestamp, Number(scores[at]!.toFixed(4))]),
    anomalies: result.anomalies.map(({ peakTimestamp, ...anomaly }) => ({ ...anomaly, peak_timestamp: peakTimestamp })),
    metrics: toFiguresDto(progress.figures),
  };
}

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null);
