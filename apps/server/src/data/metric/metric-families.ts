import { type MetricType } from '#libs/contracts';
import { type MetricMetadata, sanitiseName } from '#libs/protocols';

/** Metadata of a family for its metrics that share one name without labels. Null = unknown. */
export interface FamilyMember {
  displayName: string;
  type: MetricType | null;
  unit: string | null;
  description: string | null;
}

/** Maximum number of characters kept of a unit and of a text. */
const MAX_UNIT_LENGTH = 64;
const MAX_DESCRIPTION_LENGTH = 1000;

const PARTS_OF_DISTRIBUTION = ['_count', '_sum', '_bucket'];

/**
 * The metrics of a Prometheus family. The name of a histogram without suffix is that of its quantiles, which are
 * gauges. A family of unknown type determines no types.
 */
export function membersOfFamily({ family, kind, help, unit }: MetricMetadata): FamilyMember[] {
  const name = sanitiseName(family);
  const description = help === '' ? null : help.slice(0, MAX_DESCRIPTION_LENGTH);
  const ownUnit = unit === '' ? null : unit.slice(0, MAX_UNIT_LENGTH);
  const member = (suffix: string, type: MetricType | null): FamilyMember => ({
    displayName: name + suffix,
    type,
    // A count has no unit, whatever is counted.
    unit: suffix === '_count' || suffix === '_bucket' ? null : ownUnit,
    description,
  });
  switch (kind) {
    case 'counter':
      return name.endsWith('_total') ? [member('', 'counter')] : [member('', 'counter'), member('_total', 'counter')];
    case 'histogram':
    case 'summary':
      return [member('', 'gauge'), ...PARTS_OF_DISTRIBUTION.map((suffix) => member(suffix, 'counter'))];
    case 'gaugehistogram':
      return [member('', 'gauge'), ...PARTS_OF_DISTRIBUTION.map((suffix) => member(suffix, 'gauge'))];
    case 'gauge':
    case 'info':
    case 'stateset':
      return [member('', 'gauge')];
    default:
      return description === null && ownUnit === null ? [] : [member('', null)];
  }
}
