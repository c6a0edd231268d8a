import { ApiProperty } from '@nestjs/swagger';

export class AnnotationDto {
  @ApiProperty({ type: 'integer' })
  id!: number;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Unix milliseconds' })
  time!: number;

  @ApiProperty({ type: 'integer', format: 'int64', description: 'Unix milliseconds; now while it is open' })
  timeEnd!: number;

  @ApiProperty({ type: String })
  title!: string;

  @ApiProperty({ type: String })
  text!: string;

  @ApiProperty({ type: [String] })
  tags!: string[];
}

export class AnnotationsDto {
  @ApiProperty({ type: AnnotationDto, isArray: true })
  annotations!: AnnotationDto[];
}

export const COLUMN_TYPES = ['timestamp_ms', 'number', 'string', 'boolean'] as const;

export class PanelColumnDto {
  @ApiProperty({ type: String })
  name!: string;

  @ApiProperty({ enum: COLUMN_TYPES })
  type!: (typeof COLUMN_TYPES)[number];

  @ApiProperty({ type: String, nullable: true })
  unit!: string | null;
}

export class PanelDto {
  @ApiProperty({ type: String })
  panel!: string;

  @ApiProperty({ type: PanelColumnDto, isArray: true })
  columns!: PanelColumnDto[];

  @ApiProperty({
    type: 'array',
    items: { type: 'object', additionalProperties: true },
    description: 'Flat objects with exactly these columns',
  })
  rows!: Record<string, PanelValue>[];

  @ApiProperty({ type: [String], description: 'Names of all panels' })
  panels!: string[];
}

export type PanelValue = number | string | boolean | null;
