import { type ScoredVerdicts } from '#libs/detection';
import {
  PART_NAMES,
  quietened,
  SCORE_LEVEL,
  scoreEvidence,
  scoreOf,
  scoreQuietRows,
  usualPaceOfRows,
  WARM_UP_POINTS,
} from '#libs/detection/scoring';

/** The parts of the scores: the columns, the evidence of `spike` from two of them, and constant values. */
export const EVIDENCE_NAMES = [...PART_NAMES, 'spike', 'frozen'] as const;
export type EvidenceName = (typeof EVIDENCE_NAMES)[number];

/** More than any evidence of a constant value. */
const MAX_FROZEN = 16;

/**
 * The detector's evidence at each row of a series: enough to reweight it without another run. Columns of one length.
 */
export interface EvidenceRows {
  /** Number of points before each row; -1 for rows without a value. */
  pointsBefore: Int32Array;
  /** Usual seconds between rows, as known at each row. */
  resolution: Float64Array;
  evidence: Readonly<Record<EvidenceName, Float64Array>>;
}

/**
 * The evidence in a run over a gauge. All of it comes from the parts, except that of constant values: it has no
 * separate column and is derived from `score`, which is more than its parts at such rows; it is unknown if the other
 * parts are as large.
 *
 * @throws RangeError if the run has no parts
 */
export function evidenceRows(timestamps: Float64Array, verdicts: ScoredVerdicts): EvidenceRows {
  const { values, parts } = verdicts;
  if (parts === undefined) throw new RangeError('no parts in the verdicts: run scoreSeries with `withParts`');
  const pointsBefore = new Int32Array(values.length).fill(-1);
  for (let row = 0, points = 0; row < values.length; row++) {
    if (!Number.isNaN(values[row])) pointsBefore[row] = points++;
  }
  const resolution = usualPaceOfRows(timestamps, values);
  const spike = parts[PART_NAMES.length]!;
  const frozen = frozenEvidence(verdicts.score, parts, pointsBefore, resolution);
  const named = PART_NAMES.map((name, part) => [name, parts[part]!] as const);
  return {
    pointsBefore,
    resolution,
    evidence: { ...(Object.fromEntries(named) as Record<(typeof PART_NAMES)[number], Float64Array>), spike, frozen },
  };
}

function frozenEvidence(
  score: Float64Array,
  parts: readonly Float64Array[],
  pointsBefore: Int32Array,
  resolution: Float64Array,
): Float64Array {
  const frozen = new Float64Array(score.length);
  const atRow = new Float64Array(PART_NAMES.length);
  let quiet = 0;
  for (let row = 0; row < score.length; row++) {
    if (pointsBefore[row]! < WARM_UP_POINTS) continue;
    for (let part = 0; part < atRow.length; part++) atRow[part] = parts[part]![row]!;
    const ofParts = scoreEvidence(atRow, parts[atRow.length]![row]!);
    const isQuiet = quiet > 0;
    const reported = (evidence: number): number => {
      const asIs = scoreOf(evidence, SCORE_LEVEL);
      return isQuiet ? quietened(asIs) : asIs;
    };
    if (score[row] !== reported(ofParts)) frozen[row] = inverse(reported, score[row]!);
    if (isQuiet) quiet -= 1;
    else if (score[row]! >= 0.5) quiet = scoreQuietRows(resolution[row]!);
  }
  return frozen;
}

/** The evidence that is reported as `score`, by bisection: the reported value grows with the evidence. */
function inverse(reported: (evidence: number) => number, score: number): number {
  let low = 0;
  let high = MAX_FROZEN;
  for (let halving = 0; halving < 52; halving++) {
    const middle = (low + high) / 2;
    if (reported(middle) < score) low = middle;
    else high = middle;
  }
  return high;
}
