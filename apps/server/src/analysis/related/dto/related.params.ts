import { LimitParam } from '../../../common/paging/paging.js';
import { WindowParams } from '../../../common/window/window.params.js';

export class RelatedParams extends WindowParams {
  @LimitParam({ default: 20, max: 100 })
  limit!: number;
}
