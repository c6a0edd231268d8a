import { ApiProperty } from '@nestjs/swagger';
import { type MetricType } from '#libs/contracts';
import { type Habit, type Shape, type Stretch } from '#libs/patterns';

export const PATTERN_ORIGINS = ['trained', 'companion', 'learnt', 'recurring'] as const;
export type PatternOrigin = (typeof PATTERN_ORIGINS)[number];

/** What a person said of a pattern of the machine, or of a match; 'none': nothing yet. */
export const VERDICTS = ['true', 'false', 'none'] as const;
export type Verdict = (typeof VERDICTS)[number];

const PENDING_STATUSES = ['queued', 'building', 'waiting_for_data', 'failed'] as const;
export type PendingStatus = (typeof PENDING_STATUSES)[number];

/** Enabled patterns of one metric. */
export const MAX_ENABLED_PER_METRIC = 200;
export const DEFAULT_THRESHOLD = 0.95;
/** Starts that a record of a pattern names. */
export const MAX_SEEN = 100;
/** A pattern that would have to be nearer than this to match is disabled. */
export const MAX_THRESHOLD = 0.99;

/** A pattern without its shape. Times in Unix seconds. */
export interface Pattern {
  id: number;
  orgId: number;
  metricId: number;
  metricName: string;
  metricType: MetricType;
  metricUnit: string | null;
  anomalyId: number | null;
  trainingId: number | null;
  parentId: number | null;
  rootId: number | null;
  generation: number;
  origin: PatternOrigin;
  creatorUserId: number | null;
  /** Seconds. */
  duration: number;
  partStart: number;
  partEnd: number;
  starts: number[];
  anomalyValue: number | null;
  label: string;
  enabled: boolean;
  positive: boolean;
  shadow: boolean;
  learn: boolean;
  validated: boolean | null;
  similarityThreshold: number;
  checks: number;
  matches: number;
  invalidMatches: number;
  agreements: number;
  lastMatchTimestamp: number | null;
  createdTimestamp: number;
  hasRelatives: boolean;
}

/** A pattern that is to be stored. */
export interface NewPattern {
  orgId: number;
  metricId: number;
  anomalyId: number | null;
  trainingId: number | null;
  parentId: number | null;
  rootId: number | null;
  generation: number;
  origin: PatternOrigin;
  creatorUserId: number | null;
  shape: Shape;
  starts: readonly number[];
  /** How much its instances differ; left out, it is the only one. */
  habit?: Habit;
  anomalyValue: number | null;
  label: string;
  positive: boolean;
  shadow: boolean;
  learn: boolean;
  similarityThreshold?: number;
  createdAt: Date;
}

/** Where a shape lies and in what slots, without its values. Seconds, and Unix seconds. */
export interface ShapeFrame {
  duration: number;
  partStart: number;
  partEnd: number;
  fineStep: number;
  contextStep: number;
}

/** What a comparison needs of a pattern besides its shape. */
export interface ComparablePattern {
  id: number;
  metricId: number;
  rootId: number | null;
  parentId: number | null;
  generation: number;
  origin: PatternOrigin;
  label: string;
  positive: boolean;
  shadow: boolean;
  learn: boolean;
  validated: boolean | null;
  starts: number[];
  habit: Habit;
  threshold: number;
  createdTimestamp: number;
  frame: ShapeFrame;
}

export interface ShapedPattern extends ComparablePattern {
  shape: Shape;
}

/** The enabled patterns of a metric. */
export interface PatternSet {
  metricId: number;
  /** Another one once any of them, or what a comparison needs of them, is another. */
  stamp: string;
  patterns: ReadonlyMap<number, ComparablePattern>;
}

export const frameOf = ({ duration, partStart, partEnd, fine, context }: Shape): ShapeFrame => ({
  duration,
  partStart,
  partEnd,
  fineStep: fine.step,
  contextStep: context.step,
});

/** Slots as they are stored: 32-bit floats, little endian. */
export function bytesOf({ values }: Stretch): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, slot) => bytes.writeFloatLE(value, slot * 4));
  return bytes;
}

export function stretchFrom(start: number, step: number, bytes: Buffer): Stretch {
  return {
    start,
    step,
    values: Float32Array.from({ length: bytes.length / 4 }, (_, slot) => bytes.readFloatLE(slot * 4)),
  };
}

export class PatternDto {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: 'integer', description: '0: an original' })
  parent_id!: number;

  @ApiProperty({ type: 'integer', description: 'The first of its family; 0 without relatives' })
  group_id!: number;

  @ApiProperty({ type: 'integer', description: '0: trained by a person' })
  generation!: number;

  @ApiProperty({ enum: ['user', 'machine'] })
  creator_type!: 'user' | 'machine';

  @ApiProperty({ type: 'integer' })
  creator_user_id!: number;

  @ApiProperty({ type: String })
  creator_user_display_name!: string;

  @ApiProperty({ type: 'integer' })
  metric_id!: number;

  @ApiProperty({ type: String })
  metric_name!: string;

  @ApiProperty({ type: String, description: 'The same as `metric_name`' })
  metric!: string;

  @ApiProperty({ type: 'integer', description: 'Seconds' })
  duration!: number;

  @ApiProperty({ type: String, example: '24 hour' })
  duration_string!: string;

  @ApiProperty({ type: 'integer', description: 'End of the shape' })
  anomaly_timestamp!: number;

  @ApiProperty({ type: 'integer', nullable: true })
  anomaly_id!: number | null;

  @ApiProperty({ type: Number, nullable: true })
  anomaly_value!: number | null;

  @ApiProperty({
    type: String,
    nullable: true,
    example: 'bytes/s',
    description: 'Unit of its values, as the metric has it; of counters and rates per second',
  })
  unit!: string | null;

  @ApiProperty({ type: 'integer' })
  created_timestamp!: number;

  @ApiProperty({ type: String, example: 'October 9th 2025' })
  created_string!: string;

  @ApiProperty({ type: Boolean })
  enabled!: boolean;

  @ApiProperty({ enum: PATTERN_ORIGINS })
  origin!: PatternOrigin;

  @ApiProperty({ type: Boolean })
  layers!: boolean;

  @ApiProperty({
    type: Boolean,
    description: 'Compared, but keeps nothing back before it was validated or others agreed',
  })
  shadow!: boolean;

  @ApiProperty({
    type: 'integer',
    isArray: true,
    description: `When its shape was seen to begin, oldest first; at most the last ${String(MAX_SEEN)}`,
  })
  seen_timestamps!: number[];

  @ApiProperty({ type: 'integer' })
  checks!: number;

  @ApiProperty({ type: 'integer' })
  matches!: number;

  @ApiProperty({ type: 'integer' })
  invalid_matches!: number;

  @ApiProperty({ type: String, example: '22%' })
  match_rate!: string;

  @ApiProperty({ type: String, example: '22% (11/50)' })
  match_rate_string!: string;

  @ApiProperty({ type: 'integer' })
  match_rate_percent!: number;

  @ApiProperty({ type: 'integer', nullable: true })
  last_match_timestamp!: number | null;

  @ApiProperty({ type: String, example: '5 hours ago' })
  last_match_string!: string;

  @ApiProperty({ type: String })
  label!: string;

  @ApiProperty({ type: Boolean, description: 'Shape of a known problem: never keeps anything back' })
  positive!: boolean;

  @ApiProperty({ type: Boolean, nullable: true, description: "A person's verdict on a pattern of the machine" })
  validated!: boolean | null;

  @ApiProperty({ type: Number, description: '0..1 needed for a match' })
  similarity_threshold!: number;

  @ApiProperty({ type: Boolean, description: 'The caller may disable or change it' })
  deletable!: boolean;

  @ApiProperty({ type: String })
  graph_url!: string;
}

/** A pattern as it is drawn. Times in Unix seconds. */
export interface PatternOutline {
  pattern: PatternDto;
  /** The time before in long slots, then the part and what is around it in slots of `resolutionSeconds`. */
  timeseries: [number, number | null][];
  resolutionSeconds: number;
  /** Value from which the part begins. */
  level: number;
  /** Root mean square by which a part may be apart from this one and be alike. */
  spread: number;
  /** What was anomalous; `isUp`: it reaches further above its level than below. */
  part: { from: number; until: number; isUp: boolean };
  /** What is compared slot by slot. */
  compared: { from: number; until: number };
  /** From here on the slots are short ones. */
  keptFrom: number;
}

export class PendingPatternDto {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: 'integer' })
  anomaly_id!: number;

  @ApiProperty({ type: 'integer' })
  metric_id!: number;

  @ApiProperty({ type: String })
  metric!: string;

  @ApiProperty({ type: 'integer', description: 'Seconds' })
  duration!: number;

  @ApiProperty({ type: String, example: '7 day' })
  duration_string!: string;

  @ApiProperty({ type: String })
  label!: string;

  @ApiProperty({ type: Boolean })
  positive!: boolean;

  @ApiProperty({ enum: PENDING_STATUSES })
  status!: PendingStatus;

  @ApiProperty({ type: String, nullable: true })
  message!: string | null;

  @ApiProperty({ type: 'integer' })
  requested_timestamp!: number;

  @ApiProperty({ type: 'integer', nullable: true })
  requested_by!: number | null;

  @ApiProperty({ type: String, nullable: true })
  requested_by_display_name!: string | null;

  @ApiProperty({ type: 'integer', nullable: true })
  progress_id!: number | null;
}

/** What waits to be built. Times in Unix seconds. */
export interface PendingPattern {
  id: number;
  orgId: number;
  metricId: number;
  metricName: string;
  anomalyId: number;
  trainingId: number;
  duration: number;
  origin: PatternOrigin;
  label: string;
  positive: boolean;
  learn: boolean;
  status: PendingStatus;
  message: string | null;
  requestedBy: number | null;
  requestedTimestamp: number;
  progressId: number | null;
}
