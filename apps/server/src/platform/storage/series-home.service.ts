import { Inject, Injectable, Logger, type OnModuleInit } from '@nestjs/common';
import { type RetentionTiers, VictoriaMetricsClient } from '#libs/series';
import { ServerConfig } from '../../common/config/server.config.js';
import { messageOf } from '../../common/errors/message-of.js';
import { ReadinessRegistry } from '../../common/telemetry/readiness.js';
import { RetentionPlansService } from './retention-plans.service.js';
import { DEFAULT_TIERS } from './retention-tiers.js';
import { WrongSeriesStoreError } from './series-home.errors.js';
import { SeriesHomeRepository } from './series-home.repository.js';
import { homeName, type SeriesHome, type SeriesHomeName } from './series-home.js';
import { SERIES_HOME } from './storage.types.js';

const HOUR = 3600;
const DAY = 24 * HOUR;
/** Seconds per unit of VictoriaMetrics; a number without unit is months. */
const UNITS: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  m: 60,
  h: HOUR,
  d: DAY,
  w: 7 * DAY,
  y: 365 * DAY,
  '': 31 * DAY,
};
/** Maximum distance of a sample from the start of its slot. */
const SLOT_SPREAD_SECONDS = 0.999;

/** Checks that the configured store is the one that has the points, and that it can keep them. */
@Injectable()
export class SeriesHomeService implements OnModuleInit {
  private readonly logger = new Logger(SeriesHomeService.name);
  private readonly client: VictoriaMetricsClient | null;
  /** True if its flags have been checked. */
  private isKnown = false;

  constructor(
    @Inject(SERIES_HOME) private readonly home: SeriesHome,
    private readonly homes: SeriesHomeRepository,
    private readonly plans: RetentionPlansService,
    private readonly readiness: ReadinessRegistry,
    private readonly config: ServerConfig,
  ) {
    this.client = home.address === null ? null : new VictoriaMetricsClient(home.address);
  }

  /** @throws WrongSeriesStoreError */
  async onModuleInit(): Promise<void> {
    await this.settleHome();
    if (this.client === null) return;
    try {
      await this.checkStore(this.client);
    } catch (error) {
      if (error instanceof WrongSeriesStoreError) throw error;
      this.logger.warn(messageOf(error));
    }
    this.readiness.register('series store', () => this.check());
  }

  /** A store without points may be replaced by another one; a store with points may not. */
  private async settleHome(): Promise<void> {
    const configured = homeName(this.home);
    // Points that are written from now on are missing in an unfinished copy.
    if (this.config.roles.includes('detect')) await this.homes.forgetCopyOfInstallation();
    const found = await this.homes.findHomeOfInstallation();
    if (found === configured) return;
    const other: SeriesHomeName = configured === 'postgres' ? 'victoria-metrics' : 'postgres';
    if ((found === other || found === undefined) && (await this.homes.hasPointsOfInstallation(other))) {
      throw new WrongSeriesStoreError(
        other === 'postgres'
          ? 'SERIES_STORE_URL names a VictoriaMetrics, but the points of this installation are in PostgreSQL. Copy them ' +
              'with "plumbline store copy --from postgres --to victoria-metrics", or start without SERIES_STORE_URL.'
          : 'The points of this installation are in VictoriaMetrics, but SERIES_STORE_URL is not set. Set it again, or copy ' +
              'them with "plumbline store copy --from victoria-metrics --to postgres" while it is set.',
      );
    }
    await this.homes.saveHomeOfInstallation(configured);
  }

  /**
   * Not ready until the server has answered once. While it is unavailable later, points are still accepted and wait:
   * refusing them would not help senders.
   */
  private async check(): Promise<string | null> {
    try {
      await (this.isKnown ? this.client!.check() : this.checkStore(this.client!));
      return null;
    } catch (error) {
      if (!this.isKnown) throw error;
      return `${messageOf(error)}; points wait in the database, and no series can be read`;
    }
  }

  private async checkStore(client: VictoriaMetricsClient): Promise<void> {
    await client.check();
    const flags = await client.flags();
    const { groups } = await this.plans.ofInstallation();
    const problem = flags && flagsProblem(flags, [DEFAULT_TIERS, ...groups.map(({ tiers }) => tiers)]);
    if (problem !== null) throw new WrongSeriesStoreError(`The VictoriaMetrics of SERIES_STORE_URL ${problem}.`);
    this.isKnown = true;
  }
}

/**
 * Returns the problem of the flags of a VictoriaMetrics server for series with these retention tiers, in words for an
 * operator; null if there is none.
 */
export function flagsProblem(flags: ReadonlyMap<string, string>, kept: readonly RetentionTiers[]): string | null {
  // Flags with their default, which is one month, are not reported.
  const retention = flags.get('retentionPeriod') ?? '1';
  const retained = durationOf(retention);
  const longest = Math.max(...kept.map(({ tier1, tier2 }) => Math.max(tier1.periodSeconds, tier2.periodSeconds)));
  if (retained !== null && retained < longest) {
    const days = String(Math.ceil(longest / DAY));
    return (
      `keeps points for ${String(Math.floor(retained / DAY))} days (-retentionPeriod=${retention}), but they are to be ` +
      `kept for ${days}: start it with -retentionPeriod=${days}d or more, or shorten the retention of the organisations`
    );
  }
  const interval = durationOf(flags.get('dedup.minScrapeInterval') ?? '0s');
  const shortest = Math.min(...kept.map(({ tier1 }) => tier1.resolutionSeconds));
  if (interval !== null && interval > shortest - SLOT_SPREAD_SECONDS) {
    return (
      `drops all but one sample of ${flags.get('dedup.minScrapeInterval')!} (-dedup.minScrapeInterval), but there are ` +
      `slots of ${String(shortest)} s: start it without this flag`
    );
  }
  return null;
}

/** Seconds; null for any other form. */
function durationOf(text: string): number | null {
  const [, amount, unit] = /^(\d{1,12}(?:\.\d{1,9})?)([a-z]{0,2})$/.exec(text) ?? [];
  const factor = unit === undefined ? undefined : UNITS[unit];
  return amount === undefined || factor === undefined ? null : Number(amount) * factor;
}
