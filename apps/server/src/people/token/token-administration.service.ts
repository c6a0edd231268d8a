import { Injectable } from '@nestjs/common';
import { Permission } from '#libs/contracts';
import { actorOf } from '../../platform/audit/audit.types.js';
import { type KnownCaller } from '../../common/auth/caller.js';
import { dateOf } from '../../common/time.js';
import { OrganisationBlockService } from '../organisation-block/organisation-block.service.js';
import { type CreateTokenParams } from './dto/create-token.params.js';
import { type TokenAnswerDto, type TokenListDto } from './dto/token-answers.dto.js';
import { TokenService } from './token.service.js';

/** The calls of administrators about tokens, with their answers. */
@Injectable()
export class TokenAdministration {
  constructor(
    private readonly tokens: TokenService,
    private readonly blocks: OrganisationBlockService,
  ) {}

  async list(caller: KnownCaller): Promise<TokenListDto> {
    const isAdmin = (caller.permissions & Permission.Admin) !== 0;
    const [block, tokens] = await Promise.all([this.blocks.getBlock(caller), this.tokens.list(caller.org.id, isAdmin)]);
    return Object.assign(block, { tokens });
  }

  async create(caller: KnownCaller, params: CreateTokenParams): Promise<TokenAnswerDto> {
    const token = await this.tokens.create(caller.org.id, {
      name: params.name,
      permissions: params.permissions,
      validUntil: params.valid_until == null ? null : dateOf(params.valid_until),
      createdUserId: caller.kind === 'user' ? caller.userId : null,
      actor: actorOf(caller),
    });
    return { token, message: 'OK' };
  }

  async remove(caller: KnownCaller, tokenOrRef: string): Promise<TokenAnswerDto> {
    return { token: await this.tokens.delete(caller.org.id, tokenOrRef, actorOf(caller)), message: 'OK' };
  }
}
