import { DemoModule } from '../../apps/server/src/views/demo/demo.module.js';
import { DemoOrgsService } from '../../apps/server/src/views/demo/demo-orgs.service.js';
import { DemoVisitsModule } from '../../apps/server/src/views/demo/demo-visits.module.js';
import { EventListModule } from '../../apps/server/src/views/event-list/event-list.module.js';
import { DetectionModule } from '../../apps/server/src/analysis/detection/detection.module.js';
import { IncidentGroupingModule } from '../../apps/server/src/analysis/incident/incident-grouping.module.js';
import { MatchModule } from '../../apps/server/src/teaching/match/match.module.js';
import { PatternBuildingModule } from '../../apps/server/src/teaching/training/pattern-building.module.js';
import { ExclusionManagementModule } from '../../apps/server/src/teaching/exclusion-management/exclusion-management.module.js';
import { OrganisationModule } from '../../apps/server/src/views/organisation/organisation.module.js';
import { ProgressModule } from '../../apps/server/src/people/progress/progress.module.js';
import { SessionModule } from '../../apps/server/src/people/session/session.module.js';
import { FirstStartService } from '../../apps/server/src/people/setup/first-start.service.js';
import { SetupModule } from '../../apps/server/src/people/setup/setup.module.js';
import { type FirstStart } from '../../apps/server/src/people/setup/setup.types.js';
import { TokenModule } from '../../apps/server/src/people/token/token.module.js';
import { UserModule } from '../../apps/server/src/people/user/user.module.js';
import { AreaApp, type AreaAppOptions } from './area-app.js';
import { HandClock } from './hand-clock.js';

interface DemoAppOptions extends AreaAppOptions {
  /** Whether points are detected, and anomalies grouped into incidents. */
  detects?: boolean;
}

/** The demo, open to visitors, with the areas that they use; it sends no points by itself. */
export class DemoApp extends AreaApp {
  static async create({ clock = new HandClock(), env, detects, ...options }: DemoAppOptions = {}): Promise<DemoApp> {
    const areas = [
      DemoModule,
      DemoVisitsModule,
      EventListModule,
      ExclusionManagementModule,
      OrganisationModule,
      ProgressModule,
      SessionModule,
      SetupModule,
      TokenModule,
      UserModule,
      ...(detects === true ? [DetectionModule, IncidentGroupingModule, PatternBuildingModule, MatchModule] : []),
    ];
    const atOnce = detects === true ? { PLUMBLINE_DETECTION_GATHER_MS: '0', PLUMBLINE_PROGRESS_SECONDS: '0' } : {};
    return new DemoApp(
      await this.start(areas, { ...options, env: { PLUMBLINE_DEMO_VISITS: 'on', ...atOnce, ...env }, clock }),
      clock,
    );
  }

  /** Runs the first start; returns its result, and the demo organisations as [theme, id]. */
  async begin(): Promise<{ first: FirstStart; demos: [theme: string, id: number][] }> {
    const first = await this.get(FirstStartService).run();
    if (!first) throw new Error('There is an organisation already');
    await this.get(DemoOrgsService).ensure();
    return { first, demos: await this.demos() };
  }

  async demos(): Promise<[theme: string, id: number][]> {
    const rows = await this.database.dataSource.query<{ theme: string; id: number }[]>(
      'SELECT theme, org_id AS id FROM demo_org ORDER BY org_id',
    );
    return rows.map(({ theme, id }) => [theme, id]);
  }
}
