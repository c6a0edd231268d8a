import { type ExclusionTypeId } from './exclusion.types.js';
import { type ExclusionTypeDto } from './exclusion.dto.js';

export const EXCLUSION_TYPES: readonly ExclusionTypeDto[] = [
  {
    id: 1,
    code: 'analysis',
    name: 'No data',
    description: 'Data is neither stored nor analysed.',
    schedulable: false,
  },
  {
    id: 2,
    code: 'learning',
    name: 'No learning',
    description: 'Patterns are never learnt automatically from these metrics; with times, not from what they do then.',
    schedulable: true,
  },
  {
    id: 3,
    code: 'stale_alert',
    name: 'May be silent',
    description: 'Silence is not reported.',
    schedulable: false,
  },
  {
    id: 4,
    code: 'alerting',
    name: 'Maintenance window',
    description: 'Anomalies are recorded, but no alerts are sent.',
    schedulable: true,
  },
];

export function exclusionType(id: ExclusionTypeId): ExclusionTypeDto {
  return EXCLUSION_TYPES[id - 1]!;
}
