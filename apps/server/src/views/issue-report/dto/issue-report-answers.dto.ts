import { ApiProperty } from '@nestjs/swagger';

export class ReportedIssueDto {
  @ApiProperty({ type: 'integer', description: 'To be named when asking about it.' })
  issue_id!: number;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}
