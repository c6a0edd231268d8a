import { Inject, Injectable, Logger } from '@nestjs/common';
import { DateTime } from 'luxon';
import { demoSeries } from '#libs/synthetic';
import { type Json, SYSTEM_ACTOR } from '../../platform/audit/audit.types.js';
import { AuditTrailService } from '../../platform/audit/audit-trail.service.js';
import { Clock } from '../../common/clock.js';
import { Transactions } from '../../common/database/transactions.js';
import { MetricRegistryService } from '../../data/metric/metric-registry.service.js';
import { OrgService } from '../../people/org/org.service.js';
import { SERIES_STORE, type SeriesStore } from '../../platform/storage/storage.types.js';
import { type DemoTheme, demoTheme } from './demo-themes.js';
import { DemoRepository, type DemoOrgRow } from './demo.repository.js';

/** In the time zone of the theme. */
const RESET_HOUR = 4;

/** Resets organisations that visitors view to their initial state, every night. Data and its anomalies stay. */
@Injectable()
export class DemoResetService {
  private readonly logger = new Logger(DemoResetService.name);

  constructor(
    private readonly repository: DemoRepository,
    private readonly orgs: OrgService,
    private readonly registry: MetricRegistryService,
    @Inject(SERIES_STORE) private readonly store: SeriesStore,
    private readonly audit: AuditTrailService,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /**
   * Called regularly by the one process that feeds the organisation. Returns true if a scheduled reset was done; then
   * data of its metrics may have changed. Organisations of people are never reset.
   */
  async runIfScheduled(orgId: number): Promise<boolean> {
    const demo = await this.repository.find(orgId);
    const theme = demo && demoTheme(demo.theme);
    if (!theme || !this.shouldReset(demo, theme)) return false;
    const changed = await this.run(orgId, theme);
    const what = Object.entries(changed).map(([name, count]) => `${String(count)} ${name}`);
    this.logger.log(`Demo organisation ${String(orgId)} was reset: ${what.join(', ') || 'nothing'}`);
    return true;
  }

  private shouldReset({ resetAt }: DemoOrgRow, { timezone }: DemoTheme): boolean {
    const now = DateTime.fromSeconds(this.clock.now(), { zone: timezone });
    const today = now.set({ hour: RESET_HOUR, minute: 0, second: 0, millisecond: 0 });
    const latest = today <= now ? today : today.minus({ days: 1 });
    return resetAt.getTime() < latest.toMillis();
  }

  private async run(orgId: number, theme: DemoTheme): Promise<Record<string, number>> {
    const metrics = await this.eraseForeignMetrics(orgId, theme);
    return this.transactions.run(async (tx) => {
      await this.orgs.lock(orgId, tx);
      const { name } = await this.orgs.getById(orgId, tx);
      const changed = {
        ...(metrics > 0 ? { metric: metrics } : {}),
        ...(await this.repository.restoreSeed(orgId, tx)),
      };
      await this.repository.noteReset(orgId, new Date(this.clock.now() * 1000), tx);
      if (Object.keys(changed).length > 0) await this.audit.record(resetAct(orgId, name, changed), tx);
      return changed;
    });
  }

  /** Removes metrics that a visitor with a token has sent. */
  private async eraseForeignMetrics(orgId: number, theme: DemoTheme): Promise<number> {
    const { theme: name, seed, timezone } = theme;
    const own = demoSeries({ theme: name, seed, timezone, epoch: this.clock.now() }).map((series) => series.name);
    const ids = await this.repository.foreignMetrics(orgId, own);
    for (const id of ids) {
      await this.registry.erase(orgId, id);
      await this.store.erase([id]);
    }
    return ids.length;
  }
}

function resetAct(orgId: number, name: string, changed: Record<string, Json>) {
  return {
    orgId,
    actor: SYSTEM_ACTOR,
    action: 'org.demo_reset',
    object: { type: 'org', id: String(orgId), name },
    changes: Object.entries(changed).map(([field, count]) => ({ field, before: count, after: 'put back' })),
  };
}
