import { ApiProperty } from '@nestjs/swagger';
import { WindowDto } from '../../../common/window/window.js';
import { AnomalousMetricDto, RecentlyAnomalousMetricDto } from '../anomalous-metric.dto.js';

export class MostAnomalousDto extends WindowDto {
  @ApiProperty({ type: AnomalousMetricDto, isArray: true, description: 'The highest `total_score` first' })
  metrics!: AnomalousMetricDto[];
}

export class MostRecentlyAnomalousDto {
  @ApiProperty({ type: RecentlyAnomalousMetricDto, isArray: true, description: 'The newest first' })
  metrics!: RecentlyAnomalousMetricDto[];
}
