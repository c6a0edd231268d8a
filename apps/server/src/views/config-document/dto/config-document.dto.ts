import { ApiProperty } from '@nestjs/swagger';

const CONFIG_ACTIONS = ['created', 'updated', 'unchanged', 'removed'] as const;
export type ConfigAction = (typeof CONFIG_ACTIONS)[number];

export class ConfigExportDto {
  @ApiProperty({ type: String, description: 'YAML or JSON' })
  document!: string;
}

export class ConfigChangeDto {
  @ApiProperty({ type: String, example: 'tuning' })
  kind!: string;

  @ApiProperty({ type: String })
  name!: string;

  @ApiProperty({ enum: CONFIG_ACTIONS })
  action!: ConfigAction;

  @ApiProperty({ type: String, description: 'A line for each member that differs', example: 'sensitivity: 1 -> 0.5' })
  diff!: string;
}

export class ConfigAppliedDto {
  @ApiProperty({ type: [ConfigChangeDto] })
  changes!: ConfigChangeDto[];

  @ApiProperty({ type: Boolean, description: 'False for a dry run' })
  applied!: boolean;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}
