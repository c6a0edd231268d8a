import { DemoModule } from '../../apps/server/src/demo/demo.module.js';
import { DemoOrgs } from '../../apps/server/src/demo/demo-orgs.service.js';
import { DemoVisitsModule } from '../../apps/server/src/demo/demo-visits.module.js';
import { EventModule } from '../../apps/server/src/event/event.module.js';
import { ExclusionModule } from '../../apps/server/src/exclusion/exclusion.module.js';
import { OrgApiModule } from '../../apps/server/src/org/org-api.module.js';
import { ProgressModule } from '../../apps/server/src/progress/progress.module.js';
import { SessionModule } from '../../apps/server/src/session/session.module.js';
import { FirstStartService } from '../../apps/server/src/setup/first-start.service.js';
import { SetupModule } from '../../apps/server/src/setup/setup.module.js';
import { type FirstStart } from '../../apps/server/src/setup/setup.types.js';
import { TokenModule } from '../../apps/server/src/token/token.module.js';
import { UserModule } from '../../apps/server/src/user/user.module.js';
import { AreaApp, type AreaAppOptions } from './area-app.js';
import { HandClock } from './hand-clock.js';

/** The demo and what its visitors look at; nothing is sent by itself. */
export class DemoApp extends AreaApp {
  static async create({ clock = new HandClock(), ...options }: AreaAppOptions = {}): Promise<DemoApp> {
    const areas = [
      DemoModule,
      DemoVisitsModule,
      EventModule,
      ExclusionModule,
      OrgApiModule,
      ProgressModule,
      SessionModule,
      SetupModule,
      TokenModule,
      UserModule,
    ];
    return new DemoApp(await this.start(areas, { ...options, clock }), clock);
  }

  /** What the first start makes, and the organisations for visitors, as [theme, id]. */
  async begin(): Promise<{ first: FirstStart; demos: [theme: string, id: number][] }> {
    const first = await this.get(FirstStartService).run();
    if (!first) throw new Error('There is an organisation already');
    await this.get(DemoOrgs).ensure();
    return { first, demos: await this.demos() };
  }

  async demos(): Promise<[theme: string, id: number][]> {
    const rows = await this.database.dataSource.query<{ theme: string; id: number }[]>(
      'SELECT theme, org_id AS id FROM demo_org ORDER BY org_id',
    );
    return rows.map(({ theme, id }) => [theme, id]);
  }
}
