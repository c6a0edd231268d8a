import { TimestampParam } from '../../../common/validation/param.decorators.js';

export class TimeSinceParams {
  @TimestampParam({ required: true, min: 0, max: 4_102_444_800, description: 'Unix seconds' })
  timestamp!: number;
}
