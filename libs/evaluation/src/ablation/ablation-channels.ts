import {
  NOVELTY_LEVEL,
  NOVELTY_WEIGHTS,
  noveltyQuietRows,
  PART_NAMES,
  type PartName,
  RAREST_WEIGHT,
  SCORE_LEVEL,
  SCORE_WEIGHTS,
  scoreQuietRows,
  SPIKE_LEVEL,
  SPIKE_WEIGHT,
  WARM_UP_POINTS,
} from '#libs/detection/scoring';
import { type EvidenceName, type EvidenceRows } from './ablation-evidence.js';

const { max } = Math;

/** A channel with different parts. */
export interface ChannelVariant {
  name: string;
  /** Evidence at each row. */
  evidence(rows: EvidenceRows): Float64Array;
}

/** One of the three scores: when it alarms, and its variants. */
export interface AblationChannel {
  column: 'novelty' | 'spike' | 'score';
  /** Evidence of an alarm, as shipped. */
  level: number;
  /** Number of rows for which it is suppressed after an alarm. */
  quietRows(pointsBefore: number, resolution: number): number;
  /** The shipped variant is the first. */
  variants: readonly ChannelVariant[];
}

/** The parts of which only the largest counts for `score`. */
const RARE = ['step', 'recent', 'deviation'] as const satisfies readonly PartName[];

function weighed({ evidence, pointsBefore }: EvidenceRows, weightOf: (part: PartName, i: number) => number) {
  const sum = new Float64Array(pointsBefore.length);
  PART_NAMES.forEach((part, i) => {
    const weight = weightOf(part, i);
    const column = evidence[part];
    if (weight !== 0) for (let row = 0; row < sum.length; row++) sum[row]! += weight * column[row]!;
  });
  return sum;
}

/** The largest of some columns at each row; 0 if there are none. */
function largest({ evidence, pointsBefore }: EvidenceRows, names: readonly EvidenceName[]): Float64Array {
  const most = new Float64Array(pointsBefore.length);
  for (const name of names) {
    const column = evidence[name];
    for (let row = 0; row < most.length; row++) most[row] = max(most[row]!, column[row]!);
  }
  return most;
}

const weightedParts = (weights: readonly number[]): PartName[] => PART_NAMES.filter((_, i) => weights[i] !== 0);
const NOVELTY_PARTS = weightedParts(NOVELTY_WEIGHTS);

function noveltyOf(name: string, kept: readonly PartName[]): ChannelVariant {
  return {
    name,
    evidence: (rows) => weighed(rows, (part, i) => (kept.includes(part) ? NOVELTY_WEIGHTS[i]! : 0)),
  };
}

/** Novelty of every non-empty subset of its parts, with the shipped weights; the complete set is the first. */
export const NOVELTY_CHOICES: readonly ChannelVariant[] = Array.from(
  { length: 2 ** NOVELTY_PARTS.length - 1 },
  (_, left) => NOVELTY_PARTS.filter((_part, i) => ((left >> i) & 1) === 0),
).map((kept) => noveltyOf(kept.join(' + '), kept));

function scoreWithout(name: string, without: readonly EvidenceName[], hasSizeGate = true): ChannelVariant {
  const isKept = (part: EvidenceName): boolean => !without.includes(part);
  const spikeParts: EvidenceName[] = hasSizeGate ? ['spike'] : ['step', 'recent'];
  return {
    name,
    evidence: (rows) => {
      const sum = weighed(rows, (part, i) => (isKept(part) ? SCORE_WEIGHTS[i]! : 0));
      const rarest = largest(rows, RARE.filter(isKept));
      const spike = largest(rows, isKept('spike') ? spikeParts : []);
      const frozen = largest(rows, isKept('frozen') ? ['frozen'] : []);
      return sum.map((evidence, row) =>
        max(evidence + RAREST_WEIGHT * rarest[row]! + SPIKE_WEIGHT * spike[row]!, frozen[row]!),
      );
    },
  };
}

function spikeFrom(name: string, names: readonly EvidenceName[]): ChannelVariant {
  return { name, evidence: (rows) => largest(rows, names) };
}

export const ABLATION_CHANNELS: readonly [novelty: AblationChannel, spike: AblationChannel, score: AblationChannel] = [
  {
    column: 'novelty',
    level: NOVELTY_LEVEL,
    quietRows: (pointsBefore) => noveltyQuietRows(pointsBefore),
    variants: [
      noveltyOf('as shipped', NOVELTY_PARTS),
      ...NOVELTY_PARTS.map((part) =>
        noveltyOf(
          `without ${part}`,
          NOVELTY_PARTS.filter((other) => other !== part),
        ),
      ),
      ...NOVELTY_PARTS.map((part) => noveltyOf(`${part} alone`, [part])),
    ],
  },
  {
    column: 'spike',
    level: SPIKE_LEVEL,
    quietRows: () => 0,
    variants: [
      spikeFrom('as shipped', ['spike']),
      spikeFrom('without size gate', ['step', 'recent']),
      spikeFrom('step alone, no size gate', ['step']),
      spikeFrom('recent alone, no size gate', ['recent']),
    ],
  },
  {
    column: 'score',
    level: SCORE_LEVEL,
    quietRows: (_, resolution) => scoreQuietRows(resolution),
    variants: [
      scoreWithout('as shipped', []),
      ...weightedParts(SCORE_WEIGHTS).map((part) => scoreWithout(`without ${part}`, [part])),
      ...RARE.map((part) => scoreWithout(`rarest without ${part}`, [part])),
      scoreWithout('without rarest', RARE),
      scoreWithout('without spike', ['spike']),
      scoreWithout('spike without size gate', [], false),
      scoreWithout('without frozen', ['frozen']),
    ],
  },
];

/**
 * Rows at which a channel alarms if `level` is its level: an alarm suppresses later ones, so another level is more than
 * another threshold on the scores. O(rows).
 */
export function alarmRowsAt(
  { quietRows }: AblationChannel,
  { pointsBefore, resolution }: EvidenceRows,
  evidence: Float64Array,
  level: number,
): Uint32Array {
  const alarms: number[] = [];
  let quiet = 0;
  for (let row = 0; row < evidence.length; row++) {
    if (pointsBefore[row]! < WARM_UP_POINTS) continue;
    if (quiet > 0) quiet -= 1;
    else if (evidence[row]! >= level) {
      alarms.push(row);
      quiet = quietRows(pointsBefore[row]!, resolution[row]!);
    }
  }
  return Uint32Array.from(alarms);
}
