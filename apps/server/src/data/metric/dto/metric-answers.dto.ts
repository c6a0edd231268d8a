import { ApiProperty } from '@nestjs/swagger';
import { PageDto } from '../../../common/paging/paging.js';
import { ExclusionDto } from '../../exclusion/exclusion.dto.js';
import { MetricDto, MetricRefDto } from '../metric-record.dto.js';

export class MetricsDto extends PageDto {
  @ApiProperty({ type: [MetricDto] })
  metrics!: MetricDto[];
}

export class ChipSuggestionDto {
  @ApiProperty({ type: String, example: 'job:api' })
  chip!: string;

  @ApiProperty({ type: 'integer', description: 'Metrics left when the chip is added' })
  metrics_count!: number;
}

export class MetricSearchDto extends PageDto {
  @ApiProperty({ type: [MetricRefDto] })
  metrics!: MetricRefDto[];

  @ApiProperty({ type: [ChipSuggestionDto], description: 'Chips that narrow the search further, at most 20' })
  chips!: ChipSuggestionDto[];
}

export class NamedWatcherDto {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: String })
  name!: string;
}

export class MetricAnswerDto {
  @ApiProperty({ type: MetricDto })
  metric!: MetricDto;

  @ApiProperty({ type: [NamedWatcherDto], description: 'Watchers whose chips select the metric' })
  watchers!: NamedWatcherDto[];

  @ApiProperty({ type: [ExclusionDto], description: 'Exclusions whose chips cover the metric' })
  exclusions!: ExclusionDto[];
}
