import { Injectable } from '@nestjs/common';
import { GraphiteDriver } from './graphite/graphite-driver.service.js';
import { InfluxqlDriver } from './influxql/influxql-driver.service.js';
import { PromqlDriver } from './promql/promql-driver.service.js';
import { type ReadWindow, type SourceAnswer, type SourceDriver } from './reading/driver.types.js';
import { SourceSecretsBox } from './source-secrets.service.js';
import { type SourceSecrets, type SourceSettings, type SourceType } from './source.types.js';
import { SqlDriver } from './sql/sql-driver.service.js';

/** Beyond this an answer is refused, whatever was expected of it. */
const MOST_POINTS = 200_000;

/** Asks sources, each by the driver of its type. */
@Injectable()
export class SourceDrivers {
  private readonly drivers: Readonly<Record<SourceType, SourceDriver>>;

  constructor(
    graphite: GraphiteDriver,
    influxql: InfluxqlDriver,
    promql: PromqlDriver,
    sql: SqlDriver,
    private readonly box: SourceSecretsBox,
  ) {
    this.drivers = { graphite, influxql, promql, sql };
  }

  /** One request. @throws SourceFailure, OutgoingError */
  ask(
    settings: SourceSettings,
    secrets: SourceSecrets,
    window: ReadWindow,
    signal?: AbortSignal,
  ): Promise<SourceAnswer> {
    const limits = { maxSeries: settings.maxSeries, maxPoints: MOST_POINTS };
    const abort = signal === undefined ? {} : { signal };
    return this.drivers[settings.type].read({ settings, secrets, window, limits, ...abort });
  }

  /** The same for one that is stored. */
  askStored(
    source: SourceSettings & { orgId: number; secretsSealed: string | null },
    window: ReadWindow,
    signal: AbortSignal,
  ): Promise<SourceAnswer> {
    return this.ask(source, this.box.open(source), window, signal);
  }
}
