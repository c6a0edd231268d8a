import { titleWithoutTimes } from '../lib/incident-title';
import { MetricName } from './metric-name';

/** The title of an incident as pages show it. Most of it is the name of a metric, so it wraps like one. */
export function IncidentTitle({ title }: { title: string }) {
  return <MetricName name={titleWithoutTimes(title)} />;
}
