import { DAY } from '../../common/time.js';

/** Points are counted by so many seconds... */
export const POINT_COUNT_SECONDS = 300;
/** ...which are put together to hours after so long. */
export const POINT_COUNTS_FINE_SECONDS = 8 * DAY;
export const POINT_COUNTS_KEPT_SECONDS = 2 * 366 * DAY;
