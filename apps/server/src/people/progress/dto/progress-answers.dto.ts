import { ApiProperty } from '@nestjs/swagger';
import { PageDto } from '../../../common/paging/paging.js';
import { ProgressDto } from './progress.dto.js';

export class ProgressListDto extends PageDto {
  @ApiProperty({ type: [ProgressDto] })
  progress!: ProgressDto[];
}

export class TourDto {
  @ApiProperty({ type: [ProgressDto], description: 'The guided tour, alone' })
  progress!: ProgressDto[];
}

export class ProgressAnswerDto {
  @ApiProperty({ type: ProgressDto })
  progress!: ProgressDto;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}
