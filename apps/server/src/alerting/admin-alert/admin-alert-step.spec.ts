import { type AdminAlertStatus, stepOf } from './admin-alert-transitions.service.js';

const OK: AdminAlertStatus = { state: 'ok', since: null, isNotified: false, lastNotifiedAt: null };
const SETTINGS = { enabled: true, waitSeconds: 300, expirationSeconds: 3600 };

/** The state and the notice after each moment, which has the start of its condition or null. */
function walk(moments: readonly (readonly [now: number, since: number | null])[], settings = SETTINGS): string[] {
  let status = OK;
  return moments.map(([now, since]) => {
    const step = stepOf(status, settings, since, now);
    status = step.status;
    return step.notice === null ? status.state : `${status.state} (${step.notice})`;
  });
}

describe('an admin alert', () => {
  it('is raised after its condition has held for the waiting time, and notifies once at its start and its end', () => {
    expect(
      walk([
        [1000, null],
        [1030, 1000],
        [1290, 1030],
        [1300, 1030],
        [1330, 1030],
        [9000, 1030],
        [9030, null],
        [9060, null],
      ]),
    ).toEqual(['ok', 'waiting', 'waiting', 'raised (opened)', 'raised', 'raised', 'ok (recovered)', 'ok']);
  });

  it('sends no notice when its condition ends within the waiting time', () => {
    expect(
      walk([
        [1000, 1000],
        [1200, null],
        [1400, 1400],
        [1600, null],
      ]),
    ).toEqual(['waiting', 'ok', 'waiting', 'ok']);
  });

  it('notifies once per expiration time when it flaps, and of an end only after a notified start', () => {
    expect(
      walk([
        [1000, 700],
        [1030, null],
        [2000, 1700],
        [2030, null],
        [3000, 2700],
        [4629, 2700],
        [4630, 2700],
        [4660, null],
      ]),
    ).toEqual([
      'raised (opened)',
      'ok (recovered)',
      'raised',
      'ok',
      'raised',
      'raised',
      'raised (opened)',
      'ok (recovered)',
    ]);
  });

  it('ends without a notice when it is disabled', () => {
    const raised = stepOf(OK, SETTINGS, 700, 1000).status;
    expect(stepOf(raised, { ...SETTINGS, enabled: false }, 700, 1030)).toEqual({
      status: { state: 'ok', since: null, isNotified: false, lastNotifiedAt: 1000 },
      notice: null,
    });
  });

  it('is raised without waiting when it is raised from outside', () => {
    expect(stepOf(OK, SETTINGS, 1000, 1000, true)).toMatchObject({ notice: 'opened', status: { state: 'raised' } });
  });
});
