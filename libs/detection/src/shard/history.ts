import { analysedValue } from '../series/points/analysed-value.js';
import { B, F } from '../series/record/layout.js';
import { noteInterval } from '../series/points/pace.js';
import { adoptAnalysis, createRecord, givenPeriod } from '../series/reset-record.js';
import { SeriesDetector } from '../series/series-detector.js';
import { copyRecord, type SeriesRecord } from '../series/record/series-record.js';
import { crossGap } from '../series/silence.js';
import { type SeriesProfile } from './series-table.js';

/** What a record waits to learn from the stored points; stored in `B.awaitsHistory`. */
export const History = {
  none: 0,
  /** The points from before the record was created. */
  earlier: 1,
  /** All points: their values have another meaning than when the record learnt them. */
  all: 2,
} as const;

const silent = (): void => undefined;

/**
 * Teaches a record the stored slots of its series (Unix seconds, ascending; raw values), up to the last one that the
 * record has judged. Its state about its newest points stays.
 */
export function learnHistory(
  record: SeriesRecord,
  profile: SeriesProfile,
  timestamps: Float64Array,
  values: Float64Array,
): void {
  const { f, b } = record;
  const { type, slotSeconds } = profile;
  const learnt = createRecord(givenPeriod(record));
  const past = learnt.f;
  const detector = new SeriesDetector(silent);
  const isFresh = f[F.points] === 0;
  const isRestarted = b[B.awaitsHistory] === History.all;
  const last = isFresh ? Infinity : f[F.analysedSlot]!;
  let earlier = 0;
  for (let row = 0; row < timestamps.length; row++) {
    const slot = timestamps[row]!;
    const raw = values[row]!;
    if (!Number.isFinite(raw) || slot <= past[F.newestSlot]!) continue;
    if (isFresh || slot < f[F.firstTimestamp]!) earlier++;
    if (!(slot <= last)) continue;
    crossGap(learnt, profile.gates, slot, slotSeconds, 0, true, silent);
    if (Number.isNaN(past[F.firstTimestamp]!)) past[F.firstTimestamp] = slot;
    else noteInterval(learnt, slot - past[F.newestPoint]!);
    past[F.newestPoint] = past[F.newestSlot] = past[F.analysedSlot] = slot;
    past[F.lastRaw] = raw;
    const value = analysedValue(learnt, type, slot, raw, slotSeconds, past[F.resolution]!);
    if (!Number.isNaN(value)) detector.score(learnt, profile, slot, value, 0, true);
  }
  b[B.awaitsHistory] = History.none;
  // Without earlier points, what the record has learnt itself is at least as good.
  if (earlier === 0 && !isRestarted) return;
  const points = f[F.points]!;
  if (isFresh) {
    const wasOnlyHistory = b[B.onlyHistory]!;
    copyRecord(record, learnt);
    b[B.open] = 0;
    b[B.onlyHistory] = wasOnlyHistory;
  } else adoptAnalysis(record, learnt);
  f[F.firstTimestamp] = past[F.firstTimestamp]!;
  f[F.points] = points + earlier;
}
