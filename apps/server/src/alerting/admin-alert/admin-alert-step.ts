import { type AdminAlertSettings, type AdminAlertState } from './admin-alert.types.js';

/** The state of an admin alert. Times in Unix seconds. */
export interface AdminAlertStatus {
  state: AdminAlertState;
  /** When its condition began; null while there is none. */
  since: number | null;
  /** The recipients were notified that it is raised. */
  isNotified: boolean;
  lastNotifiedAt: number | null;
}

export interface AdminAlertStep {
  status: AdminAlertStatus;
  /** The notice to send now. */
  notice: 'opened' | 'recovered' | null;
}

/**
 * The next step by the current condition. The alert is raised after its condition has held for the waiting time; a
 * notice of it is sent at most once in the expiration time, followed by a notice of the recovery.
 * @param since when the condition began, null if there is none
 * @param isFromOutside an external report: there is no waiting time
 */
export function stepOf(
  before: AdminAlertStatus,
  settings: Pick<AdminAlertSettings, 'enabled' | 'waitSeconds' | 'expirationSeconds'>,
  since: number | null,
  now: number,
  isFromOutside = false,
): AdminAlertStep {
  const { lastNotifiedAt } = before;
  if (!settings.enabled)
    return { status: { state: 'ok', since: null, isNotified: false, lastNotifiedAt }, notice: null };
  if (since === null) {
    const notice = before.isNotified ? 'recovered' : null;
    const notifiedAt = notice === null ? lastNotifiedAt : now;
    return { status: { state: 'ok', since: null, isNotified: false, lastNotifiedAt: notifiedAt }, notice };
  }
  const began = before.since ?? since;
  const isRaised = before.state === 'raised' || isFromOutside || now - began >= settings.waitSeconds;
  if (!isRaised) {
    return { status: { state: 'waiting', since: began, isNotified: false, lastNotifiedAt }, notice: null };
  }
  const shouldNotify =
    !before.isNotified && (lastNotifiedAt === null || now - lastNotifiedAt >= settings.expirationSeconds);
  return {
    status: {
      state: 'raised',
      since: began,
      isNotified: before.isNotified || shouldNotify,
      lastNotifiedAt: shouldNotify ? now : lastNotifiedAt,
    },
    notice: shouldNotify ? 'opened' : null,
  };
}
