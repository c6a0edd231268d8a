import { Injectable } from '@nestjs/common';
import { DATABASE_LOCKS } from '#libs/database-locks';
import { Clock } from '../../common/clock.js';
import { AdvisoryLocks } from '../../common/database/advisory-locks.js';
import { Transactions } from '../../common/database/transactions.js';
import { OrgService } from '../../people/org/org.service.js';
import { DemoSwitchService } from '../../people/setup/demo-switch.service.js';
import { DEMO_THEME_IDS, DEMO_THEMES, demoTheme } from './demo-themes.js';
import { DemoRepository, type PublicDemo } from './demo.repository.js';

/** First key of the advisory lock: one process creates the missing organisations. The second key is 0. */
const LOCK_SPACE = DATABASE_LOCKS.demoOrgs.number;

/** The organisations that visitors may view. They do not include the administrator's own demo organisation. */
@Injectable()
export class DemoOrgsService {
  constructor(
    private readonly repository: DemoRepository,
    private readonly orgs: OrgService,
    private readonly demo: DemoSwitchService,
    private readonly locks: AdvisoryLocks,
    private readonly transactions: Transactions,
    private readonly clock: Clock,
  ) {}

  /** Oldest first; none while the demo is switched off. */
  async open(): Promise<PublicDemo[]> {
    if (!this.demo.isOn) return [];
    return (await this.repository.listPublic()).filter(({ theme }) => demoTheme(theme) !== null);
  }

  /**
   * Creates the missing organisations in an installation that started with a demo. An installation without one belongs
   * to a user, and an upgrade must not admit visitors.
   */
  async ensure(): Promise<void> {
    if (!this.demo.isOn || !(await this.orgs.listAll()).some(({ isDemo }) => isDemo)) return;
    if ((await this.missing()).length === 0) return;
    await this.locks.runAlone(LOCK_SPACE, 0, async () => {
      for (const id of await this.missing()) {
        const { name, timezone } = DEMO_THEMES[id];
        await this.transactions.run(async (tx) => {
          const org = await this.orgs.create({ name, timezone, isDemo: true }, tx);
          await this.repository.open(org.id, id, new Date(this.clock.now() * 1000), tx);
        });
      }
    });
  }

  private async missing(): Promise<(keyof typeof DEMO_THEMES)[]> {
    const present = new Set((await this.repository.listAll()).map(({ theme }) => theme));
    return DEMO_THEME_IDS.filter((id) => !present.has(id));
  }
}
