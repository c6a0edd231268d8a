import { ApiProperty } from '@nestjs/swagger';
import { PageDto } from '../../../common/paging/paging.js';
import { ProgressDto } from '../progress.types.js';

export class ProgressListDto extends PageDto {
  @ApiProperty({ type: [ProgressDto] })
  progress!: ProgressDto[];
}

export class ProgressAnswerDto {
  @ApiProperty({ type: ProgressDto })
  progress!: ProgressDto;
}
