import { AreaApp } from '../../../../../test/support/area-app.js';
import { HandClock, START } from '../../../../../test/support/hand-clock.js';
import { EventRecorderService } from '../../platform/event/event-recorder.service.js';
import { OrgModule } from './org.module.js';
import { MuteExpiryService } from './mute-expiry.service.js';
import { OrgService } from './org.service.js';

/** Start of an hour. */
const HOUR = Math.floor(START / 3600) * 3600;

class HousekeepingApp extends AreaApp {
  static async create(): Promise<HousekeepingApp> {
    const clock = new HandClock();
    return new HousekeepingApp(await this.start([OrgModule], { clock }), clock);
  }
}

let app: HousekeepingApp;

beforeAll(async () => {
  app = await HousekeepingApp.create();
});
afterAll(() => app.close());
beforeEach(() => {
  app.clock.seconds = HOUR;
});

describe('a mute', () => {
  it('ends at its time, and is reported once by concurrent runs', async () => {
    const orgs = app.get(OrgService);
    const [over, going] = [await app.anOrg(), await app.anOrg()];
    await orgs.update(over.id, { alertsMutedUntil: new Date((HOUR - 5) * 1000) });
    await orgs.update(going.id, { alertsMutedUntil: new Date((HOUR + 5) * 1000) });
    await Promise.all([app.get(MuteExpiryService).endExpired(HOUR), app.get(MuteExpiryService).endExpired(HOUR)]);
    await app.get(EventRecorderService).flush();
    expect((await orgs.getById(over.id)).alertsMutedUntil).toBeNull();
    expect((await orgs.getById(going.id)).alertsMutedUntil).not.toBeNull();
    const events = await app.database.dataSource.query(
      `SELECT org_id AS "orgId", type, extract(epoch FROM happened_at)::integer AS at FROM org_event`,
    );
    expect(events).toEqual([{ orgId: over.id, type: 'alerts_unmuted', at: HOUR - 5 }]);
  });
});
