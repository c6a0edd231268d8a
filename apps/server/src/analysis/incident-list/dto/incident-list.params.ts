import { EnumParam, enumKind, IntParam, ListParam } from '../../../common/validation/param.decorators.js';
import { WindowPageParams } from '../../../common/window/window.params.js';
import { ChipsParam } from '../../../data/chips/chips-param.decorators.js';
import { type Chip } from '../../../data/chips/chips.js';
import { INCIDENT_STATES, type IncidentState } from '../../incident/incident.types.js';

const ORDERS = ['newest', 'severity'] as const;

export class ListIncidentsParams extends WindowPageParams {
  @ListParam(enumKind(INCIDENT_STATES), { description: 'Only in these states' })
  state?: readonly IncidentState[];

  @ChipsParam({ description: 'Only incidents with a metric for which all chips hold' })
  chips?: readonly Chip[];

  @IntParam({ min: 0, max: 100, default: 0, description: 'Only from this severity on' })
  severity_min!: number;

  @EnumParam(ORDERS, { default: 'newest' })
  order!: (typeof ORDERS)[number];
}
