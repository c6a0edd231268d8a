import { diskText } from '#libs/wording';
import { type InstallationSummary } from '../../../server/src/views/misc/installation-summary.types.js';
import { plainTable } from '../plain-table.js';
import { type Check } from './running-product.js';

/** Everything that `plumbline status` has found; without a summary, the product could not query its database. */
export interface StatusReport {
  checks: readonly Check[];
  summary: InstallationSummary | null;
}

export function isWell({ checks, summary }: StatusReport): boolean {
  return checks.every(({ ok }) => ok) && summary !== null;
}

/** Keys in snake_case, bytes, seconds and Unix seconds, as in the API. */
export function statusJson(report: StatusReport): object {
  const { checks, summary } = report;
  return {
    state: isWell(report) ? 'ok' : 'degraded',
    checks: checks.map(({ name, ok, message }) => ({ name, ok, message })),
    ...summary,
  };
}

/** The same for people. */
export function statusText(report: StatusReport): string {
  const { checks, summary } = report;
  const rows: [string, string][] = [['Plumbline', isWell(report) ? 'well' : 'degraded']];
  for (const { name, message } of checks.filter(({ ok }) => !ok)) rows.push([`Not well: ${name}`, message ?? '']);
  if (summary === null) {
    rows.push(['Database', 'cannot be asked']);
  } else {
    rows.push(
      ['Version', summary.version],
      ['Running for', duration(summary.uptime_seconds)],
      ['Backlog', `${count(summary.backlog_points, 'point')}, ${duration(summary.lag_seconds)} behind`],
      ['Last point', lastPoint(summary)],
      ['Metrics', `${summary.metrics} in ${count(summary.organisations, 'organisation')}`],
      ['Open anomalies', String(summary.open_anomalies)],
      ['Mail', mail(summary)],
      ['Alerts', alerts(summary)],
      ['Database', diskText(summary.database_bytes)],
      ...disk(summary),
    );
  }
  return plainTable(rows[0]!, rows.slice(1));
}

function lastPoint({ last_point_timestamp: at, last_point_age_seconds: age }: InstallationSummary): string {
  if (at === null || age === null) return 'none yet';
  return `${new Date(at * 1000).toISOString().slice(0, 19)}Z, ${duration(age)} ago`;
}

function mail({ mails_waiting, oldest_mail_age_seconds, mail_configured }: InstallationSummary): string {
  if (mails_waiting === 0) return mail_configured ? 'none waiting' : 'no mail server (SMTP_HOST)';
  return `${mails_waiting} waiting, the oldest for ${duration(oldest_mail_age_seconds ?? 0)}`;
}

function alerts({ alerts_waiting, oldest_alert_age_seconds, alerts_given_up }: InstallationSummary): string {
  const waiting =
    alerts_waiting === 0
      ? 'none waiting'
      : `${alerts_waiting} waiting, the oldest for ${duration(oldest_alert_age_seconds ?? 0)}`;
  return alerts_given_up === 0 ? waiting : `${waiting}; ${alerts_given_up} given up (plumbline alerts failed)`;
}

function disk({ data_folder, disk_free_bytes, disk_size_bytes }: InstallationSummary): [string, string][] {
  if (data_folder === null || disk_free_bytes === null || disk_size_bytes === null) return [];
  return [['Disk', `${diskText(disk_free_bytes)} free of ${diskText(disk_size_bytes)} (${data_folder})`]];
}

const count = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`;

/** `45 s`, `12 min`, `5 h`, `3 d` */
function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}
