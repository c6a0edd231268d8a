import { ALERT_CHANNELS, ALERT_KINDS, type AlertChannel, type AlertKind } from '#libs/alerting';
import { DELIVERY_STATES, type DeliveryState } from '../../../analysis/alert-history/delivery-state.types.js';
import { MAX_ROW_ID } from '../../../common/validation/param-kind.js';
import { enumKind, IntParam, ListParam } from '../../../common/validation/param.decorators.js';
import { WindowPageParams } from '../../../common/window/window.params.js';

const IdFilter = (description: string): PropertyDecorator => IntParam({ min: 1, max: MAX_ROW_ID, description });

export class ListDeliveriesParams extends WindowPageParams {
  @ListParam(enumKind(DELIVERY_STATES), { default: [], description: 'Only in these states' })
  state!: readonly DeliveryState[];

  @ListParam(enumKind(ALERT_CHANNELS), { default: [], description: 'Only by these channels' })
  channel!: readonly AlertChannel[];

  @ListParam(enumKind(ALERT_KINDS), { default: [], description: 'Only of these kinds' })
  kind!: readonly AlertKind[];

  @IdFilter('Only those of this watcher')
  watcher_id?: number;

  @IdFilter('Only those about this anomaly, alone or among others')
  anomaly_id?: number;

  @IdFilter('Only those about this incident')
  incident_id?: number;
}
