import { ApiProperty } from '@nestjs/swagger';

export class ReportedIssueDto {
  @ApiProperty({ type: 'integer', description: 'Quote it in questions about the report.' })
  issue_id!: number;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}
