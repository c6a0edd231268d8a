import { ALL_PERMISSIONS, Permission } from '#libs/contracts';
import { HandClock } from '../../../../../test/support/hand-clock.js';
import { type Caller } from '../../common/auth/caller.js';
import { type ComponentReport, ComponentReports } from '../../common/telemetry/component-reports.js';
import { ReadinessRegistry } from '../../common/telemetry/readiness.js';
import { StatusService } from './status.service.js';

const NOBODY: Caller = { kind: 'anonymous' };
const tokenWith = (permissions: number): Caller => ({
  kind: 'token',
  org: { id: 1, timezone: 'UTC', onboardingStatusId: 300 },
  permissions,
  tokenRef: 1,
});
const WELL: ComponentReport = { ok: true, ageSeconds: 2, message: '' };
const ILL: ComponentReport = { ok: false, ageSeconds: 90, message: 'behind' };

function build(): { status: StatusService; reports: ComponentReports; readiness: ReadinessRegistry } {
  const readiness = new ReadinessRegistry();
  const reports = new ComponentReports(readiness);
  return { status: new StatusService(reports, new HandClock(1_760_000_000, 0.9)), reports, readiness };
}

describe('StatusService', () => {
  it('returns state, version and time to everyone, and components only to administrators', async () => {
    const { status, reports, readiness } = build();
    reports.register('analysis', () => WELL);
    readiness.register('database', () => undefined);
    const open = await status.status(NOBODY);
    expect(open).toMatchObject({ state: 'ok', server_timestamp: 1_760_000_000, components: [] });
    expect(open.version).toMatch(/^\d+\.\d+\.\d+/);
    expect((await status.status(tokenWith(ALL_PERMISSIONS & ~Permission.Admin))).components).toEqual([]);
    expect((await status.status(tokenWith(Permission.Admin))).components).toEqual([
      { name: 'database', ok: true, age_seconds: null, message: '' },
      { name: 'queue', ok: true, age_seconds: null, message: 'nothing to report' },
      { name: 'ingest', ok: true, age_seconds: null, message: 'nothing to report' },
      { name: 'analysis', ok: true, age_seconds: 2, message: '' },
      { name: 'notifications', ok: true, age_seconds: null, message: 'nothing to report' },
      { name: 'mail', ok: true, age_seconds: null, message: 'nothing to report' },
    ]);
  });

  it('is degraded when a component is not ok', async () => {
    const { status, reports } = build();
    reports.register('analysis', () => ILL);
    expect((await status.status(NOBODY)).state).toBe('degraded');
  });

  it('is down when the database is not reachable', async () => {
    const { status, reports, readiness } = build();
    reports.register('mail', () => ILL);
    readiness.register('database', () => Promise.reject(new Error('no route')));
    const answer = await status.status(tokenWith(Permission.Admin));
    expect(answer.state).toBe('down');
    expect(answer.components[0]).toEqual({ name: 'database', ok: false, age_seconds: null, message: 'no route' });
  });

  it('marks a component as not ok when its report fails', async () => {
    const { status, reports } = build();
    reports.register('queue', () => {
      throw new Error('lost');
    });
    expect((await status.status(tokenWith(Permission.Admin))).components[1]).toMatchObject({
      ok: false,
      message: 'lost',
    });
  });

  it('rejects a second reporter for a component', () => {
    const { reports } = build();
    reports.register('mail', () => WELL);
    expect(() => reports.register('mail', () => WELL)).toThrow('registered twice');
  });
});
