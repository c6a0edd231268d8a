import { NAB_PROFILES, type NabProfile, nabRows, normaliseNab, type RowRange, tallyNab } from '#libs/baselines';
import { type AblationChannel, alarmRowsAt, type ChannelVariant } from './ablation-channels.js';
import { type EvidenceRows } from './ablation-evidence.js';
import { type EventScore, prepareEvents, scorePreparedEvents } from '../scoring/event-score.js';
import { type SeriesPace, warmUpRows } from '../scoring/labelled-series.js';

/** Levels that are tried, as multiples of the shipped one: from 0.2 to 2.2, in steps of two percent. */
const LEVEL_STEP = 1.02;
const SHIPPED_AT = 80;
export const LEVEL_FACTORS: readonly number[] = Array.from(
  { length: SHIPPED_AT + 41 },
  (_, i) => LEVEL_STEP ** (i - SHIPPED_AT),
);

/** The result of a variant for one measure. */
export interface LevelFigure {
  atShipped: number;
  /** At the best level, chosen with the labels known. */
  best: number;
  /** That level, as a multiple of the shipped one. */
  bestFactor: number;
}

/** `figures`: one per level of LEVEL_FACTORS. Of equal ones, that of the level nearest to the shipped one is used. */
export function levelFigure(figures: readonly number[]): LevelFigure {
  const best = Math.max(...figures);
  const places = figures.flatMap((figure, place) => (figure === best ? [place] : []));
  const place = places.reduce((a, b) => (Math.abs(b - SHIPPED_AT) < Math.abs(a - SHIPPED_AT) ? b : a));
  return { atShipped: figures[SHIPPED_AT]!, best, bestFactor: LEVEL_FACTORS[place]! };
}

/** A file of the Numenta Anomaly Benchmark. */
export interface NabEvidence {
  rows: EvidenceRows;
  windows: readonly RowRange[];
}

/**
 * A corpus scored at each level: raw scores of its files, from which the score of any subset of the files is computed.
 */
export interface NabByLevel {
  profile: NabProfile;
  /** By level of LEVEL_FACTORS, then by file. */
  raw: Float64Array[];
  windows: number;
  scorable: number;
}

/** All three profiles. O(levels * rows). */
export function nabByLevel(
  files: readonly NabEvidence[],
  channel: AblationChannel,
  variant: ChannelVariant,
): NabByLevel[] {
  const byProfile = NAB_PROFILES.map((profile) => ({
    profile,
    raw: LEVEL_FACTORS.map(() => new Float64Array(files.length)),
    windows: 0,
    scorable: 0,
  }));
  files.forEach(({ rows, windows }, file) => {
    const evidence = variant.evidence(rows);
    const judged = nabRows(evidence.length, windows);
    const scores = new Float64Array(evidence.length);
    LEVEL_FACTORS.forEach((factor, level) => {
      const alarms = alarmRowsAt(channel, rows, evidence, factor * channel.level);
      for (const row of alarms) scores[row] = 1;
      for (const { profile, raw } of byProfile) {
        raw[level]![file] = tallyNab({ scores, windows }, judged, 1, profile).raw;
      }
      for (const row of alarms) scores[row] = 0;
    });
    for (const totals of byProfile) {
      totals.windows += windows.length;
      totals.scorable += judged.scorable.length;
    }
  });
  return byProfile;
}

/** The score of the whole corpus from the sum of its files' raw scores. */
export function nabScoreOf(raw: number, { windows, scorable, profile }: NabByLevel): number {
  return normaliseNab(raw, windows, scorable, profile);
}

export function nabFigure(byLevel: NabByLevel): LevelFigure {
  return levelFigure(
    byLevel.raw.map((files) =>
      nabScoreOf(
        files.reduce((sum, raw) => sum + raw, 0),
        byLevel,
      ),
    ),
  );
}

/** A series with a label per row. */
export interface LabelledEvidence {
  rows: EvidenceRows;
  labels: Uint8Array;
  pace: SeriesPace;
}

/** The event score of a set at each level of LEVEL_FACTORS, the same for all of its series. O(levels * rows). */
export function eventsByLevel(
  set: readonly LabelledEvidence[],
  channel: AblationChannel,
  variant: ChannelVariant,
): EventScore[] {
  const series = set.map(({ rows, labels, pace }) => {
    const scores = variant.evidence(rows);
    return { rows, scores, from: warmUpRows(scores.length, pace), events: prepareEvents({ scores, labels, pace }) };
  });
  const prepared = series.map(({ events }) => events);
  return LEVEL_FACTORS.map((factor) => {
    const level = factor * channel.level;
    const alarms = series.map(({ rows, scores, from }) =>
      alarmRowsAt(channel, rows, scores, level)
        .filter((row) => row >= from)
        .map((row) => row - from),
    );
    return scorePreparedEvents(prepared, level, alarms);
  });
}
