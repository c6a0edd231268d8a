import Table from 'cli-table3';
import { DateTime } from 'luxon';
import { rarityMonths, severityLabel } from '#libs/contracts';
import { type AnomalyEvent } from '#libs/detection';
import { countText, lastingText, numberText, rangeText, writtenReasons } from '#libs/wording';
import { type Detection } from './run-detection.js';

/**
 * Widths of all columns of the table except the last, which fills the remaining width: content and one blank on each
 * side.
 */
const WIDTHS = [21, 21, 20, 15, 7, 12, 20];
const MIN_EXPLANATION_WIDTH = 30;

export function kindLabel(kind: string): string {
  return kind.replaceAll('_', ' ');
}

function localTime(timestamp: number, timezone: string): string {
  return DateTime.fromSeconds(timestamp, { zone: timezone }).toFormat('yyyy-MM-dd HH:mm:ss');
}

function numberOrDash(value: number | null): string {
  return value === null ? '–' : numberText(value);
}

const expectedText = ({ lower, upper }: AnomalyEvent): string => rangeText(lower, upper, null) ?? '–';

/**
 * The anomalies as a table for people, oldest first, no wider than the terminal unless that is too narrow to be
 * readable.
 */
export function anomalyTable(anomalies: readonly AnomalyEvent[], timezone: string, columns: number): string {
  const fixed = WIDTHS.reduce((sum, width) => sum + width + 1, 2);
  const table = new Table({
    head: ['start', 'end', 'kind', 'severity', 'score', 'value', 'usual', 'why'],
    colWidths: [...WIDTHS, Math.max(MIN_EXPLANATION_WIDTH, columns - fixed)],
    wordWrap: true,
    // Plain text: the table is also read in files and mails.
    style: { head: [], border: [] },
  });
  for (const anomaly of anomalies) {
    table.push([
      localTime(anomaly.startTimestamp, timezone),
      anomaly.endTimestamp === null ? 'still open' : localTime(anomaly.endTimestamp, timezone),
      kindLabel(anomaly.kind),
      `${severityLabel(anomaly.severity)} (${Math.round(anomaly.severity)})`,
      anomaly.score.toFixed(2),
      numberOrDash(anomaly.value),
      expectedText(anomaly),
      writtenReasons(anomaly.explanation.slice(0, 1), { unit: null, zone: timezone })[0]?.text ?? '',
    ]);
  }
  return `${table.toString()}\n`;
}

/** `3 anomalies (1 critical, 2 minor) in 22,695 rows over 78 days 18 hours, 2013-12-02 21:15:00 – 2014-02-19 15:25:00 (UTC)` */
export function summaryLine(detection: Detection): string {
  const { anomalies, rows, from, until, timezone, missing, late } = detection;
  const bySeverity = new Map<string, number>();
  for (const { severity } of anomalies.toSorted((a, b) => b.severity - a.severity)) {
    bySeverity.set(severityLabel(severity), (bySeverity.get(severityLabel(severity)) ?? 0) + 1);
  }
  const counts = Array.from(bySeverity, ([label, count]) => `${count} ${label}`).join(', ');
  const found =
    anomalies.length === 0
      ? 'No anomaly'
      : `${anomalies.length} ${anomalies.length === 1 ? 'anomaly' : 'anomalies'} (${counts})`;
  const notes = [
    ...(missing === 0 ? [] : [`${countText(missing)} without value`]),
    ...(late === 0 ? [] : [`${countText(late)} at a time that another row has, not judged`]),
  ];
  const without = notes.length === 0 ? '' : ` (${notes.join('; ')})`;
  return (
    `${found} in ${countText(rows)} ${rows === 1 ? 'row' : 'rows'}${without} over ${lastingText(until - from)}, ` +
    `${localTime(from, timezone)} – ${localTime(until, timezone)} (${timezone})\n`
  );
}

/** The same for programs; members have the names of the HTTP API, times are Unix seconds. */
export function anomalyJson(detection: Detection, source: string): string {
  return `${JSON.stringify(
    {
      source,
      rows: detection.rows,
      rows_without_value: detection.missing,
      rows_not_in_time: detection.late,
      from: detection.from,
      until: detection.until,
      timezone: detection.timezone,
      anomalies: detection.anomalies.map((anomaly) => ({
        timestamp: anomaly.startTimestamp,
        until_timestamp: anomaly.endTimestamp,
        peak_timestamp: anomaly.peakTimestamp,
        kind: anomaly.kind,
        severity: anomaly.severity,
        severity_label: severityLabel(anomaly.severity),
        rarity_months: rarityMonths(anomaly.rarityDays),
        score: anomaly.score,
        value: anomaly.value,
        peak_value: anomaly.peakValue,
        expected: anomaly.expected,
        expected_range_lower: anomaly.lower,
        expected_range_upper: anomaly.upper,
        close_reason: anomaly.closeReason,
        explanation: writtenReasons(anomaly.explanation, { unit: null, zone: detection.timezone }),
      })),
    },
    null,
    2,
  )}\n`;
}
