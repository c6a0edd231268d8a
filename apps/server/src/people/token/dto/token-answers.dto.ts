import { ApiProperty } from '@nestjs/swagger';
import { OrganisationBlockDto } from '../../organisation-block/organisation-block.dto.js';
import { TokenDto } from './token.dto.js';

export class TokenListDto extends OrganisationBlockDto {
  @ApiProperty({ type: [TokenDto], description: 'Newest last; expired ones are listed for 30 days.' })
  tokens!: TokenDto[];
}

export class TokenAnswerDto {
  @ApiProperty({ type: TokenDto })
  token!: TokenDto;

  @ApiProperty({ type: String, example: 'OK' })
  message!: string;
}
