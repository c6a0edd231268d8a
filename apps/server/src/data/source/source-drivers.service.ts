import { Injectable } from '@nestjs/common';
import { composeSanitised, isNameProblem } from '#libs/protocols';
import { GraphiteDriverService } from './graphite/graphite-driver.service.js';
import { InfluxqlDriverService } from './influxql/influxql-driver.service.js';
import { PromqlDriverService } from './promql/promql-driver.service.js';
import { type ReadWindow, type SourceAnswer, type SourceDriver } from './reading/driver.types.js';
import { namedSeries } from './reading/series-names.js';
import { SourceSecretsService } from './source-secrets.service.js';
import { type SourceSecrets, type SourceSettings, type SourceType } from './source.types.js';
import { SqlDriverService } from './sql/sql-driver.service.js';

/** A larger answer is refused, whatever size was expected. */
const MAX_POINTS = 200_000;

/** A stored source. */
export type StoredSource = SourceSettings & { orgId: number; secretsSealed: string | null };

/** Queries sources, each by the driver of its type. */
@Injectable()
export class SourceDriversService {
  private readonly drivers: Readonly<Record<SourceType, SourceDriver>>;

  constructor(
    graphite: GraphiteDriverService,
    influxql: InfluxqlDriverService,
    promql: PromqlDriverService,
    sql: SqlDriverService,
    private readonly box: SourceSecretsService,
  ) {
    this.drivers = { graphite, influxql, promql, sql };
  }

  /** One request. @throws SourceFailure, OutgoingError */
  read(
    settings: SourceSettings,
    secrets: SourceSecrets,
    window: ReadWindow,
    signal?: AbortSignal,
  ): Promise<SourceAnswer> {
    const limits = { maxSeries: settings.maxSeries, maxPoints: MAX_POINTS };
    const abort = signal === undefined ? {} : { signal };
    return this.drivers[settings.type].read({ settings, secrets, window, limits, ...abort });
  }

  /** The same for a stored source. */
  readStored(source: StoredSource, window: ReadWindow, signal: AbortSignal): Promise<SourceAnswer> {
    return this.read(source, this.box.open(source), window, signal);
  }

  /**
   * Canonical names of the metrics that a stored source returns for a window, with the time of the newest point of
   * each.
   * @throws SourceFailure, OutgoingError
   */
  async listNewest(
    source: StoredSource,
    window: ReadWindow,
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, number>> {
    const { series } = await this.readStored(source, window, signal);
    const newest = new Map<string, number>();
    for (const one of series) {
      const { name, labels } = namedSeries(one, source);
      const parsed = composeSanitised(name, labels);
      if (isNameProblem(parsed)) continue;
      newest.set(parsed.name, Math.max(newest.get(parsed.name) ?? -Infinity, one.timestamps.at(-1)!));
    }
    return newest;
  }
}
