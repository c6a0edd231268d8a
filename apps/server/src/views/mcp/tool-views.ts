import { anomalyText, type Reader } from '#libs/wording';
import { type AnomalyDto } from '../../analysis/anomaly/anomaly.dto.js';
import { type AnomalyRefDto } from '../../analysis/anomaly/anomaly-ref.dto.js';
import { type IncidentDto } from '../../analysis/incident/incident.dto.js';
import { rounded, timeIn } from './tool-input.js';

/** An anomaly with the members of an answer. */
export function anomalyView(anomaly: AnomalyDto, reader: Reader) {
  const { id, metric, metric_id, kind, state, severity, severity_label, unit, incident_id } = anomaly;
  return {
    ...{ id, metric, metric_id, kind, state, severity, severity_label },
    summary: summaryOf(anomaly, reader),
    started: timeIn(reader.zone, anomaly.timestamp),
    ended: timeIn(reader.zone, endOf(anomaly)),
    value: rounded(anomaly.value),
    peak_value: rounded(anomaly.peak_value),
    expected_lower: rounded(anomaly.expected_range_lower),
    expected_upper: rounded(anomaly.expected_range_upper),
    unit,
    confirmed_as_problem: anomaly.positive,
    acknowledged_by: anomaly.acknowledged_by_display_name,
    incident_id,
  };
}

/** Null while it is open. */
const endOf = (anomaly: AnomalyRefDto): number | null =>
  anomaly.until_timestamp === null ? null : anomaly.out_until_timestamp;

/** `web-1.cpu rose to 93 % (usual 20 to 40 %)`. */
function summaryOf(anomaly: AnomalyDto, reader: Reader): string {
  const { kind, value, peak_value: peakValue, unit, metric } = anomaly;
  if (kind === null) return `${metric}: nothing unusual`;
  const [lower, upper] = [anomaly.expected_range_lower, anomaly.expected_range_upper];
  const [start, end] = [anomaly.timestamp, anomaly.out_until_timestamp];
  return `${metric} ${anomalyText({ kind, value, peakValue, lower, upper, unit, start, end }, reader)}`;
}

/** The line of an anomaly in a text: `#12 …; critical (80), open, since 2026-…`. */
export function anomalyLine(view: ReturnType<typeof anomalyView>): string {
  const { id, summary, severity, severity_label, state, started, ended } = view;
  const span = ended === null ? `since ${started}` : `${started} to ${ended}`;
  return `#${String(id)} ${summary}; ${severity_label} (${String(severity)}), ${state}, ${span}`;
}

export function anomalyRefView(ref: AnomalyRefDto, zone: string) {
  const { id, metric, kind, state, severity } = ref;
  const [started, ended] = [timeIn(zone, ref.timestamp), timeIn(zone, endOf(ref))];
  return { id, metric, kind, state, severity, started, ended };
}

export function anomalyRefLine(view: ReturnType<typeof anomalyRefView>): string {
  const { id, metric, kind, state, started } = view;
  return `#${String(id)} ${metric}: ${kind ?? 'nothing unusual'}, ${state}, since ${started}`;
}

export function incidentView(incident: IncidentDto, zone: string) {
  const { id, title, state, severity, severity_label, anomalies_count, metrics_count, common_labels } = incident;
  return {
    ...{ id, title, state, severity, severity_label, anomalies_count, metrics_count, common_labels },
    started: timeIn(zone, incident.started_timestamp),
    ended: timeIn(zone, incident.ended_timestamp),
    acknowledged_by: incident.acknowledged_by_display_name,
    likely_origins: incident.origins.map(({ metric, metric_id, anomaly_id, likelihood, reason }) => {
      return { metric, metric_id, anomaly_id, likelihood: rounded(likelihood), reason };
    }),
  };
}

export function incidentLine(view: ReturnType<typeof incidentView>): string {
  const { id, title, severity, severity_label, state, started, ended, anomalies_count } = view;
  const span = ended === null ? `since ${started}` : `${started} to ${ended}`;
  const size = `${String(anomalies_count)} anomalies`;
  return `#${String(id)} ${title}; ${severity_label} (${String(severity)}), ${state}, ${size}, ${span}`;
}

/** `3 anomalies from … to …:` and one line for each. */
export function listText(heading: string, lines: readonly string[], total: number): string {
  const rest = total > lines.length ? `\n(${String(lines.length)} of ${String(total)} are shown)` : '';
  return lines.length === 0 ? heading : `${heading}\n${lines.map((line) => `- ${line}`).join('\n')}${rest}`;
}
