import { ApiProperty } from '@nestjs/swagger';

export const PROGRESS_TYPES = [
  'onboarding',
  'tour',
  'training',
  'quota_removal',
  'metric_removal',
  'backfill',
  'replay',
] as const;
export type ProgressType = (typeof PROGRESS_TYPES)[number];

/** The last three are final. */
export const PROGRESS_STATUSES = ['queued', 'running', 'finished', 'failed', 'cancelled'] as const;
export type ProgressStatus = (typeof PROGRESS_STATUSES)[number];

/** As stored. */
export interface ProgressStep {
  key: string;
  title: string;
  done: boolean;
  /** Unix seconds at which it was done; null while it is not. */
  timestamp: number | null;
}

export interface NewProgress {
  orgId: number;
  /** Who began it; null or left out: the service itself. */
  userId?: number | null;
  type: ProgressType;
  /** For people: "Building 2 patterns". */
  title: string;
  /** None for work that tells its percentage instead. */
  steps?: readonly { key: string; title: string }[];
  /** Users may cancel it. The worker has to check for it: see `ProgressService.onCancel`. */
  cancellable?: boolean;
  /** `queued` until somebody works on it; default `running`. */
  status?: 'queued' | 'running';
  message?: string;
}

export class ProgressStepDto implements ProgressStep {
  @ApiProperty({ type: String, example: 'send_data' })
  key!: string;

  @ApiProperty({ type: String, example: 'Send data' })
  title!: string;

  @ApiProperty({ type: Boolean })
  done!: boolean;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Unix seconds at which it was done' })
  timestamp!: number | null;
}

export class ProgressDto {
  @ApiProperty({ type: 'integer', nullable: true, description: 'null: a tour that belongs to no user' })
  id!: number | null;

  @ApiProperty({ enum: PROGRESS_TYPES })
  type!: ProgressType;

  @ApiProperty({ type: String, example: 'Building 2 patterns' })
  title!: string;

  @ApiProperty({ enum: PROGRESS_STATUSES })
  status!: ProgressStatus;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: 100 })
  percent!: number;

  @ApiProperty({ type: String })
  message!: string;

  @ApiProperty({ type: [ProgressStepDto] })
  steps!: ProgressStepDto[];

  @ApiProperty({ type: 'object', additionalProperties: true, nullable: true })
  result!: Record<string, unknown> | null;

  @ApiProperty({ type: String, nullable: true, description: 'Why it failed' })
  error!: string | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'User who started it, or owner of the tour' })
  user_id!: number | null;

  @ApiProperty({ type: Boolean })
  cancellable!: boolean;

  @ApiProperty({ type: 'integer', description: 'Unix seconds' })
  created_timestamp!: number;

  @ApiProperty({ type: 'integer', description: 'Unix seconds' })
  updated_timestamp!: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Unix seconds' })
  finished_timestamp!: number | null;
}

/** Done steps of all, rounded down; 0 without steps. */
export function percentOf(steps: readonly ProgressStep[]): number {
  if (steps.length === 0) return 0;
  return Math.floor((100 * steps.filter(({ done }) => done).length) / steps.length);
}

export const isFinal = (status: ProgressStatus): boolean => status !== 'queued' && status !== 'running';
