import { LimitParam, OffsetParam } from '../paging/paging.js';
import { Check } from '../validation/param-registry.js';
import { TimestampParam } from '../validation/param.decorators.js';
import { orderProblems } from './window.js';

/** Parameters of a call with a time window. */
@Check<WindowParams>((params, { now }) => orderProblems(params, now))
export class WindowParams {
  @TimestampParam({ description: 'Start of the window; default 24 hours before its end' })
  from?: number;

  @TimestampParam({ max: Number.MAX_SAFE_INTEGER, description: 'End of the window; default now' })
  until?: number;
}

/** Parameters of a list with a time window. */
export class WindowPageParams extends WindowParams {
  @LimitParam()
  limit!: number;

  @OffsetParam()
  offset!: number;
}
