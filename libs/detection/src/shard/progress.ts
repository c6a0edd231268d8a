import { B, F, INTERVAL_RING, P } from '../series/record/layout.js';
import { seasonalPeriods, seasonReadiness } from '../series/season/season.js';
import { WARM_UP_POINTS } from '../series/series-detector.js';
import {
  HAS_ENDED,
  IRREGULAR_PACE,
  ONLY_HISTORY,
  type ProgressColumns,
  READY_DAILY,
  READY_RANGE,
  READY_WEEKLY,
  type SeriesProgress,
  STEADY_PACE,
} from '../types.js';
import { type SeriesTable } from './series-table.js';

const DAY_SECONDS = 86_400;

/** Progress of the series at some places. The records are read in place: moving them would take as long as scoring. */
export function progressColumns(table: SeriesTable, places: readonly number[]): ProgressColumns {
  const rows = places.length;
  const columns: ProgressColumns = {
    ids: new Uint32Array(rows),
    firstTimestamps: new Float64Array(rows),
    lastTimestamps: new Float64Array(rows),
    lastValues: new Float64Array(rows),
    points: new Float64Array(rows),
    valuesNeeded: new Uint8Array(rows),
    resolutionSeconds: new Float64Array(rows),
    shortPeriods: new Float64Array(rows),
    longPeriods: new Float64Array(rows),
    flags: new Uint8Array(rows),
  };
  for (let row = 0; row < rows; row++) {
    const place = places[row]!;
    const progress = progressAt(table, place);
    columns.ids[row] = progress.id;
    columns.firstTimestamps[row] = progress.firstTimestamp;
    columns.lastTimestamps[row] = progress.lastTimestamp;
    columns.lastValues[row] = progress.lastValue;
    columns.points[row] = progress.points;
    columns.valuesNeeded[row] = progress.valuesNeeded;
    columns.resolutionSeconds[row] = progress.resolutionSeconds ?? NaN;
    columns.shortPeriods[row] = progress.seasonalPeriods[0] ?? 0;
    columns.longPeriods[row] = progress.seasonalPeriods[1] ?? 0;
    const { range, daily, weekly } = progress.readiness;
    columns.flags[row] =
      (range ? READY_RANGE : 0) |
      (daily ? READY_DAILY : 0) |
      (weekly ? READY_WEEKLY : 0) |
      (progress.hasEnded ? HAS_ENDED : 0) |
      (progress.isOnlyHistory ? ONLY_HISTORY : 0) |
      (progress.isSteady === null ? 0 : progress.isSteady ? STEADY_PACE : IRREGULAR_PACE);
  }
  return columns;
}

/** Progress of the learning of the series at a place. */
export function progressAt(table: SeriesTable, place: number): SeriesProgress {
  const resolution = table.peek(place, F.resolution);
  const valuesNeeded = Math.max(0, WARM_UP_POINTS - table.peek(place, F.count));
  const knowsPace = table.peekByte(place, B.intervalCount) === INTERVAL_RING;
  const age = table.peek(place, F.lastAnalysed) - table.peek(place, F.firstAnalysed);
  return {
    id: table.idAt(place),
    firstTimestamp: table.peek(place, F.firstTimestamp),
    lastTimestamp: table.peek(place, F.newestSlot),
    lastValue: table.peek(place, F.lastRaw),
    points: table.peek(place, F.points),
    valuesNeeded,
    isSteady: knowsPace ? table.peekByte(place, B.regular) === 1 : null,
    resolutionSeconds: resolution > 0 ? resolution : null,
    hasEnded: table.peekByte(place, B.ended) === 1,
    isOnlyHistory: table.peekByte(place, B.onlyHistory) === 1,
    seasonalPeriods: seasonalPeriods(table.peekByte(place, B.season), table.peekFloat(place, P.shortestPeriod)),
    readiness: {
      range: valuesNeeded === 0,
      ...seasonReadiness(
        age,
        table.peekFloat(place, P.dailyChecked),
        table.peekFloat(place, P.weeklyChecked),
        DAY_SECONDS / (resolution > 0 ? resolution : 60),
      ),
    },
  };
}
