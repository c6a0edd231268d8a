import { ApiProperty } from '@nestjs/swagger';
import { type ComponentName, COMPONENTS } from '../../../common/telemetry/component-reports.js';

const SERVICE_STATES = ['ok', 'degraded', 'down'] as const;
export type ServiceState = (typeof SERVICE_STATES)[number];

export class ComponentDto {
  @ApiProperty({ enum: COMPONENTS })
  name!: ComponentName;

  @ApiProperty({ type: Boolean })
  ok!: boolean;

  @ApiProperty({ type: 'integer', nullable: true, description: 'Lag of the component' })
  age_seconds!: number | null;

  @ApiProperty({ type: String })
  message!: string;
}

export class StatusDto {
  @ApiProperty({ enum: SERVICE_STATES, description: '`down`: data can neither be taken nor read' })
  state!: ServiceState;

  @ApiProperty({ type: String })
  version!: string;

  @ApiProperty({ type: 'integer' })
  uptime_seconds!: number;

  @ApiProperty({ type: 'integer', format: 'int64' })
  server_timestamp!: number;

  @ApiProperty({ type: [ComponentDto], description: 'Empty unless the caller has the admin permission' })
  components!: ComponentDto[];
}
