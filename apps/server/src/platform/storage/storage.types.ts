import { type PointLog } from '#libs/point-log';
import { type SeriesColumns, type SeriesQuery, type SeriesStore, type SlotLengths } from '#libs/series';

/** Injects the `PointLog` of the process. */
export const POINT_LOG = Symbol('point log');
/** Injects the `SeriesStore` of the process. */
export const SERIES_STORE = Symbol('series store');

/** Injects the `SeriesHome` of the process: the location of its series store. */
export const SERIES_HOME = Symbol('series home');

export type { PointLog, SeriesColumns, SeriesQuery, SeriesStore, SlotLengths };
