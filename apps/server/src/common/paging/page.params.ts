import { LimitParam, OffsetParam } from './paging.js';

/** Parameters of a list. Extend it, or put the two decorators on other fields. */
export class PageParams {
  @LimitParam()
  limit!: number;

  @OffsetParam()
  offset!: number;
}
