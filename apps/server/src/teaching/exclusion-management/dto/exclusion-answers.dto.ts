import { ApiProperty } from '@nestjs/swagger';
import { PageDto } from '../../../common/paging/paging.js';
import { ExclusionDto, ExclusionTypeDto } from '../../../data/exclusion/exclusion.dto.js';

/** Maximum number of names of metrics in an answer. */
export const MAX_NAMES = 1000;

export class ExclusionTypesDto {
  @ApiProperty({ type: [ExclusionTypeDto] })
  types!: ExclusionTypeDto[];
}

export class ExclusionsDto extends PageDto {
  @ApiProperty({ type: [ExclusionDto] })
  exclusions!: ExclusionDto[];
}

export class ExclusionTestDto {
  @ApiProperty({ type: [String], description: 'Names of metrics it would cover, at most 1000' })
  metrics!: string[];

  @ApiProperty({ type: 'integer', description: 'Metrics it would cover' })
  count!: number;

  @ApiProperty({ type: Boolean, description: 'More metrics than are named' })
  truncated!: boolean;

  @ApiProperty({ type: 'integer' })
  anomalies_last_7_days!: number;

  @ApiProperty({ type: 'integer' })
  alerts_last_7_days!: number;
}

export class ExclusionDescriptionDto {
  @ApiProperty({ type: ExclusionDto })
  exclusion!: ExclusionDto;

  @ApiProperty({ type: [String], description: 'Names of metrics it covers, at most 1000' })
  metrics!: string[];

  @ApiProperty({ type: 'integer' })
  metrics_count!: number;
}

export class ExclusionWithMetricsDto extends ExclusionDescriptionDto {
  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class ExclusionAnswerDto {
  @ApiProperty({ type: ExclusionDto })
  exclusion!: ExclusionDto;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}
