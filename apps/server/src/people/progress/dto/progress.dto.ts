import { ApiProperty } from '@nestjs/swagger';
import {
  PROGRESS_STATUSES,
  PROGRESS_TYPES,
  type ProgressStatus,
  type ProgressStep,
  type ProgressType,
} from '../progress.types.js';

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
