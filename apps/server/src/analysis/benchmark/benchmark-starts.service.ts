import { Injectable } from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { Clock } from '../../common/clock.js';
import { Links } from '../../common/http/links.js';
import { rateLimit, RateLimits } from '../../common/http/rate-limits.js';
import { HOUR } from '../../common/time.js';
import { BenchmarkAnnouncementsService } from './benchmark-announcements.service.js';
import { toBenchmarkDto } from './benchmark-presenter.js';
import { BenchmarkRunnerService } from './benchmark-runner.service.js';
import { BenchmarkSourcesService } from './benchmark-sources.service.js';
import { type BenchmarkStarter } from './benchmark-starter.decorator.js';
import { BenchmarkConfig } from './benchmark.config.js';
import { BenchmarksFullError, TooManyBenchmarksError } from './benchmark.errors.js';
import { BenchmarkRepository, type NewBenchmark } from './benchmark.repository.js';
import { type ModelProgress } from './benchmark.types.js';
import { packColumns } from './chart-rows.js';
import { type BenchmarkStartedDto } from './dto/benchmark.dto.js';
import { type StartBenchmarkParams } from './dto/benchmark.params.js';

const KEY_BYTES = 16;

/** Keys of benchmarks, and the addresses with these keys. */
@Injectable()
export class BenchmarkAddressesService {
  constructor(
    private readonly links: Links,
    private readonly clock: Clock,
  ) {}

  newKey(): { key: string; createdAt: Date } {
    return { key: randomBytes(KEY_BYTES).toString('base64url'), createdAt: new Date(this.clock.now() * 1000) };
  }

  urlsOf(key: string): { status_url: string; chart_url: string } {
    const id = { benchmark_id: key };
    return { status_url: this.links.api('/benchmark/status', id), chart_url: this.links.api('/benchmark/chart', id) };
  }
}

const BENCHMARKS_OF_ADDRESS = rateLimit({
  name: 'benchmarksOfAddress',
  config: BenchmarkConfig,
  points: (config) => config.startsOfAddress,
  windowSeconds: HOUR,
});

const BENCHMARKS_OF_CALLER = rateLimit({
  name: 'benchmarksOfCaller',
  config: BenchmarkConfig,
  points: (config) => config.starts,
  windowSeconds: HOUR,
});

/** Maximum number of unfinished benchmarks of one user, token or address. */
const PLACES = 2;
/** Maximum number of waiting benchmarks in total. */
const MAX_WAITING = 100;

/** Starts benchmarks: checks the caller and the series. */
@Injectable()
export class BenchmarkStartsService {
  constructor(
    private readonly benchmarks: BenchmarkRepository,
    private readonly sources: BenchmarkSourcesService,
    private readonly announcements: BenchmarkAnnouncementsService,
    private readonly runner: BenchmarkRunnerService,
    private readonly limits: RateLimits,
    private readonly config: BenchmarkConfig,
    private readonly about: BenchmarkAddressesService,
  ) {}

  /**
   * @throws RateLimitedError, TooManyBenchmarksError, BenchmarksFullError, and the errors of
   *   `BenchmarkSourcesService.seriesOf`
   */
  async start(starter: BenchmarkStarter, params: StartBenchmarkParams): Promise<BenchmarkStartedDto> {
    const { caller, party, holder } = starter;
    await this.limits.consume(caller.kind === 'anonymous' ? BENCHMARKS_OF_ADDRESS : BENCHMARKS_OF_CALLER, holder);
    if (params.email !== undefined) await this.announcements.requireAllowed(starter.address, params.email);
    const { waiting, kept } = await this.benchmarks.countAll();
    if (waiting >= MAX_WAITING || kept >= this.config.kept) throw new BenchmarksFullError();
    // Before the series is read, because reading is expensive.
    if ((await this.benchmarks.freePlaces(holder, PLACES)).length === 0) throw new TooManyBenchmarksError(PLACES);
    const series = await this.sources.seriesOf(caller, party, params);
    const { timestamps, values } = series;
    const { key, createdAt } = this.about.newKey();
    const row: NewBenchmark = {
      key,
      createdAt,
      party,
      holder,
      orgId: caller.kind === 'anonymous' ? null : caller.org.id,
      name: params.name,
      status: 'queued',
      message: series.refused,
      email: params.email ?? null,
      models: params.models.map(queued),
      labels: params.labels,
      isCounter: series.isCounter,
      timezone: series.timezone,
      slotSeconds: series.slotSeconds,
      resolutionSeconds: series.resolutionSeconds,
      pointsCount: timestamps.length,
      fromAt: new Date(timestamps[0]! * 1000),
      untilAt: new Date(timestamps.at(-1)! * 1000),
      series: packColumns([timestamps, values]),
    };
    if (!(await this.benchmarks.insert(row, holder, PLACES))) throw new TooManyBenchmarksError(PLACES);
    this.runner.wake();
    const stored = await this.benchmarks.findByKey(key);
    return { benchmark_id: key, benchmark: toBenchmarkDto(stored!), ...this.about.urlsOf(key), message: 'OK' };
  }
}

function queued(id: ModelProgress['id']): ModelProgress {
  return { id, status: 'queued', runtimeSeconds: null, anomaliesCount: null, message: '', figures: null };
}
