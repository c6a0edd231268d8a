import { type InstallationSummary } from '../../../server/src/views/misc/installation-summary.service.js';
import { plainTable } from '../plain-table.js';
import { type Announcement, type Check } from './running-product.js';

/** Of the file system that holds the data folder, in bytes. */
export interface DiskSpace {
  folder: string;
  free: number;
  size: number;
}

/** Everything `plumbline status` has found out; null is what could not be asked. */
export interface StatusReport {
  checks: readonly Check[];
  announced: Announcement | null;
  summary: InstallationSummary | null;
  disk: DiskSpace | null;
  isMailConfigured: boolean;
}

export function isWell({ checks, announced, summary }: StatusReport): boolean {
  return checks.every(({ ok }) => ok) && summary !== null && (announced === null || announced.state === 'ok');
}

/** Keys in snake_case, bytes, seconds and Unix seconds, as in the API. */
export function statusJson(report: StatusReport): object {
  const { checks, announced, summary, disk } = report;
  return {
    state: isWell(report) ? 'ok' : 'degraded',
    version: announced?.version ?? null,
    uptime_seconds: announced?.uptimeSeconds ?? null,
    checks: checks.map(({ name, ok, message }) => ({ name, ok, message })),
    backlog_points: summary?.backlogPoints ?? null,
    lag_seconds: summary?.lagSeconds ?? null,
    last_point_timestamp: summary?.lastPointAt ?? null,
    open_anomalies: summary?.openAnomalies ?? null,
    organisations: summary?.organisations ?? null,
    metrics: summary?.metrics ?? null,
    database_bytes: summary?.databaseBytes ?? null,
    disk_free_bytes: disk?.free ?? null,
    disk_size_bytes: disk?.size ?? null,
    mail_configured: report.isMailConfigured,
    mails_waiting: summary?.mailsWaiting ?? null,
    oldest_mail_age_seconds: summary?.oldestMailAge ?? null,
  };
}

/** The same for people. */
export function statusText(report: StatusReport): string {
  const { checks, announced, summary, disk } = report;
  const rows: [string, string][] = [
    ['Plumbline', isWell(report) ? 'well' : 'degraded'],
    ['Version', announced === null ? 'unknown: no API in this process' : announced.version],
  ];
  if (announced !== null) rows.push(['Running for', duration(announced.uptimeSeconds)]);
  for (const { name, message } of checks.filter(({ ok }) => !ok)) rows.push([`Not well: ${name}`, message ?? '']);
  if (summary === null) {
    rows.push(['Database', 'cannot be asked']);
  } else {
    rows.push(
      ['Backlog', `${count(summary.backlogPoints, 'point')}, ${duration(summary.lagSeconds)} behind`],
      ['Last point', lastPoint(summary)],
      ['Metrics', `${summary.metrics} in ${count(summary.organisations, 'organisation')}`],
      ['Open anomalies', String(summary.openAnomalies)],
      ['Mail', mail(summary, report.isMailConfigured)],
      ['Database', bytes(summary.databaseBytes)],
    );
  }
  if (disk !== null) rows.push(['Disk', `${bytes(disk.free)} free of ${bytes(disk.size)} (${disk.folder})`]);
  return plainTable(rows[0]!, rows.slice(1));
}

function lastPoint({ lastPointAt, lastPointAge }: InstallationSummary): string {
  if (lastPointAt === null || lastPointAge === null) return 'none yet';
  return `${new Date(lastPointAt * 1000).toISOString().slice(0, 19)}Z, ${duration(lastPointAge)} ago`;
}

function mail({ mailsWaiting, oldestMailAge }: InstallationSummary, isConfigured: boolean): string {
  if (mailsWaiting === 0) return isConfigured ? 'none waiting' : 'no mail server (SMTP_HOST)';
  return `${mailsWaiting} waiting, the oldest for ${duration(oldestMailAge ?? 0)}`;
}

const count = (number: number, thing: string): string => `${number} ${thing}${number === 1 ? '' : 's'}`;

/** `45 s`, `12 min`, `5 h`, `3 d` */
function duration(seconds: number): string {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)} h` : `${Math.round(seconds / 86_400)} d`;
}

/** `62 MB`, `12.3 GB` */
function bytes(number: number): string {
  return number < 1e9 ? `${Math.round(number / 1e6)} MB` : `${(number / 1e9).toFixed(1)} GB`;
}
