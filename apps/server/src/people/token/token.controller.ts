import { Controller, Delete, Get, Param, Post, Put } from '@nestjs/common';
import { ApiOperation, ApiParam, ApiTags } from '@nestjs/swagger';
import { Permission } from '#libs/contracts';
import { CurrentCaller, RequirePermissions } from '../../common/auth/access.decorators.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { ApiEnvelope } from '../../common/envelope/api-envelope.decorator.js';
import { Throws } from '../../common/errors/throws.decorator.js';
import { Uncompressed } from '../../common/http/answer.decorators.js';
import { NoParams } from '../../common/validation/no-params.js';
import { Params } from '../../common/validation/params.decorator.js';
import { CreateTokenParams, UpdateTokenParams } from './dto/create-token.params.js';
import { ListTokensParams } from './dto/list-tokens.params.js';
import { TokenAnswerDto, TokenListDto } from './dto/token-answers.dto.js';
import { TokenAdministrationService } from './token-administration.service.js';

@ApiTags('org')
@Controller('org/tokens')
export class TokenController {
  constructor(private readonly tokens: TokenAdministrationService) {}

  @Get()
  @RequirePermissions(Permission.Read)
  @Uncompressed()
  @ApiOperation({
    summary: 'Get the organisation and its tokens',
    description:
      'The settings of the organisation and all tokens that are not revoked, masked. `reveal` shows whole ' +
      'tokens to a session of an administrator, and leaves an entry in the audit log.',
  })
  @ApiEnvelope(TokenListDto)
  list(@CurrentCaller() caller: KnownCaller, @Params() params: ListTokensParams): Promise<TokenListDto> {
    return this.tokens.list(caller, params);
  }

  @Post()
  @RequirePermissions(Permission.Admin)
  @Throws('limit_reached')
  @ApiOperation({
    summary: 'Create a token',
    description:
      'Answers the whole token with the permissions that were asked for. It identifies the organisation, not a ' +
      'user; give every program a token of its own with the least permissions.',
  })
  @ApiEnvelope(TokenAnswerDto)
  create(@CurrentCaller() caller: KnownCaller, @Params() params: CreateTokenParams): Promise<TokenAnswerDto> {
    return this.tokens.create(caller, params);
  }

  @Put(':token_id')
  @RequirePermissions(Permission.Admin)
  @ApiOperation({
    summary: 'Change a token',
    description:
      'Name, end of validity, or fewer permissions: never more than before. Takes effect within 5 seconds for programs ' +
      'that use it. A token that was revoked cannot be changed.',
  })
  @ApiParam({ name: 'token_id', type: String, description: 'The token itself, or `ref:7`.', example: 'ref:7' })
  @ApiEnvelope(TokenAnswerDto)
  update(
    @CurrentCaller() caller: KnownCaller,
    @Param('token_id') tokenId: string,
    @Params() params: UpdateTokenParams,
  ): Promise<TokenAnswerDto> {
    return this.tokens.update(caller, tokenId, params);
  }

  @Delete(':token_id')
  @RequirePermissions(Permission.Admin)
  @ApiOperation({
    summary: 'Revoke a token',
    description:
      'Programs that use it are refused within 5 seconds. It is named by the whole token or by `ref:` and its ' +
      'number.',
  })
  @ApiParam({ name: 'token_id', type: String, description: 'The token itself, or `ref:7`.', example: 'ref:7' })
  @ApiEnvelope(TokenAnswerDto)
  remove(
    @CurrentCaller() caller: KnownCaller,
    @Param('token_id') tokenId: string,
    @Params() _params: NoParams,
  ): Promise<TokenAnswerDto> {
    return this.tokens.remove(caller, tokenId);
  }
}
