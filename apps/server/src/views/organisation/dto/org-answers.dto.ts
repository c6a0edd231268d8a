import { ApiProperty } from '@nestjs/swagger';
import { RecentCountsDto } from '../../../common/counts/recent-counts.js';
import { PlanDto } from '../../../people/billing/plan.dto.js';
import { AnalysisVariablesDto, OrgDto } from '../../../people/org/org.dto.js';
import { OrganisationBlockDto } from '../../../people/organisation-block/organisation-block.dto.js';

export class OrgInfoDto extends OrganisationBlockDto {
  @ApiProperty({ type: PlanDto, nullable: true })
  plan!: PlanDto | null;

  @ApiProperty({ type: 'integer' })
  users_count!: number;
}

export class OrgUpdatedDto {
  @ApiProperty({ type: OrgDto })
  org!: OrgDto;

  @ApiProperty({ type: AnalysisVariablesDto })
  analysis_variables!: AnalysisVariablesDto;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}

export class ChannelDto {
  @ApiProperty({ type: String, example: 'C012AB3CD' })
  id!: string;

  @ApiProperty({ type: String, example: 'ops' })
  name!: string;

  @ApiProperty({ type: Boolean })
  private!: boolean;

  @ApiProperty({ type: Boolean, description: 'The bot is in it' })
  member!: boolean;
}

export class ChannelsDto {
  @ApiProperty({ type: [ChannelDto], description: 'By name' })
  channels!: ChannelDto[];
}

export class MetricCountsDto {
  @ApiProperty({ type: 'integer', description: 'Without those removed from the quota' })
  total!: number;

  @ApiProperty({ type: 'integer' })
  active!: number;

  @ApiProperty({ type: 'integer' })
  stale!: number;

  @ApiProperty({ type: 'integer' })
  inactive!: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'null = no cap' })
  limit!: number | null;

  @ApiProperty({ type: 'integer', nullable: true, description: 'null = no cap' })
  remaining!: number | null;
}

export class AnomalyCountsDto extends RecentCountsDto {
  @ApiProperty({ type: 'integer' })
  open!: number;
}

export class MatchCountsDto extends RecentCountsDto {}

export class PatternCountsDto {
  @ApiProperty({ type: 'integer' })
  total!: number;

  @ApiProperty({ type: 'integer' })
  enabled!: number;

  @ApiProperty({ type: 'integer' })
  trained!: number;

  @ApiProperty({ type: 'integer' })
  learnt!: number;

  @ApiProperty({ type: 'integer' })
  pending!: number;
}

export class IncidentCountsDto {
  @ApiProperty({ type: 'integer' })
  open!: number;

  @ApiProperty({ type: 'integer' })
  last_7d!: number;
}

export class AlertCountsDto {
  @ApiProperty({ type: 'integer' })
  last_24h!: number;

  @ApiProperty({ type: 'integer' })
  last_7d!: number;

  @ApiProperty({ type: 'integer' })
  suppressed_7d!: number;
}

export class WatcherCountsDto {
  @ApiProperty({ type: 'integer' })
  total!: number;

  @ApiProperty({ type: 'integer' })
  alerting!: number;
}

export class SummaryDto {
  @ApiProperty({ type: MetricCountsDto })
  metrics!: MetricCountsDto;

  @ApiProperty({ type: AnomalyCountsDto })
  anomalies!: AnomalyCountsDto;

  @ApiProperty({ type: MatchCountsDto })
  matches!: MatchCountsDto;

  @ApiProperty({ type: PatternCountsDto })
  patterns!: PatternCountsDto;

  @ApiProperty({ type: IncidentCountsDto })
  incidents!: IncidentCountsDto;

  @ApiProperty({ type: AlertCountsDto })
  alerts!: AlertCountsDto;

  @ApiProperty({ type: WatcherCountsDto })
  watchers!: WatcherCountsDto;

  @ApiProperty({ type: 'integer' })
  users!: number;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Unix seconds' })
  last_data_timestamp!: number | null;

  @ApiProperty({ type: String, example: 'just now' })
  last_data_string!: string;

  @ApiProperty({ type: 'integer', description: 'Points stored for the last minute that is complete' })
  points_last_minute!: number;
}

export class OrgSummaryDto {
  @ApiProperty({ type: SummaryDto })
  summary!: SummaryDto;
}
