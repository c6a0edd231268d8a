import { ApiProperty, IntersectionType } from '@nestjs/swagger';
import { PageDto } from '../../../common/paging/paging.js';
import { WindowDto } from '../../../common/window/window.js';
import { AnomalyDto } from '../../anomaly/anomaly.dto.js';
import { IncidentDto } from '../../incident/incident.dto.js';

export class IncidentsDto extends IntersectionType(PageDto, WindowDto) {
  @ApiProperty({ type: IncidentDto, isArray: true })
  incidents!: IncidentDto[];
}

const TIMELINE_KINDS = ['opened', 'closed', 'acknowledged', 'alerted'] as const;

/** A moment of an incident. */
export class TimelineEntryDto {
  @ApiProperty({ type: 'integer' })
  timestamp!: number;

  @ApiProperty({ type: String })
  metric!: string;

  @ApiProperty({ type: 'integer' })
  anomaly_id!: number;

  @ApiProperty({ enum: TIMELINE_KINDS })
  what!: (typeof TIMELINE_KINDS)[number];
}

export class IncidentAnswerDto {
  @ApiProperty({ type: IncidentDto })
  incident!: IncidentDto;

  @ApiProperty({ type: AnomalyDto, isArray: true, description: 'Oldest first, at most 1000' })
  anomalies!: AnomalyDto[];

  @ApiProperty({ type: TimelineEntryDto, isArray: true, description: 'Oldest first' })
  timeline!: TimelineEntryDto[];

  @ApiProperty({ type: String, description: 'Its metrics below each other' })
  incident_graph_url!: string;
}
