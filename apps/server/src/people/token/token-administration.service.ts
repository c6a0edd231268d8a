import { Injectable } from '@nestjs/common';
import { type KnownCaller } from '../../common/auth/caller.js';
import { dateOf } from '../../common/time.js';
import { actorOf } from '../../platform/audit/audit-act.functions.js';
import { OrganisationBlockService } from '../organisation-block/organisation-block.service.js';
import { type CreateTokenParams, type UpdateTokenParams } from './dto/create-token.params.js';
import { type ListTokensParams } from './dto/list-tokens.params.js';
import { type TokenAnswerDto, type TokenListDto } from './dto/token-answers.dto.js';
import { TokenService } from './token.service.js';

/** The token calls of administrators, with their answers. */
@Injectable()
export class TokenAdministrationService {
  constructor(
    private readonly tokens: TokenService,
    private readonly blocks: OrganisationBlockService,
  ) {}

  /** Whole tokens are shown to administrators who request them, never to a token. */
  async list(caller: KnownCaller, { reveal }: ListTokensParams): Promise<TokenListDto> {
    const isRevealed = reveal && caller.kind === 'user' && caller.admin;
    if (isRevealed) await this.tokens.recordReveal(caller.org.id, actorOf(caller));
    const [block, tokens] = await Promise.all([
      this.blocks.getBlock(caller, isRevealed),
      this.tokens.list(caller.org.id, isRevealed),
    ]);
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

  async update(caller: KnownCaller, tokenOrRef: string, params: UpdateTokenParams): Promise<TokenAnswerDto> {
    const { name, permissions, valid_until: end } = params;
    const change = { name, permissions, ...(end !== undefined && { validUntil: end === null ? null : dateOf(end) }) };
    return { token: await this.tokens.update(caller.org.id, tokenOrRef, change, actorOf(caller)), message: 'OK' };
  }

  async remove(caller: KnownCaller, tokenOrRef: string): Promise<TokenAnswerDto> {
    return { token: await this.tokens.delete(caller.org.id, tokenOrRef, actorOf(caller)), message: 'OK' };
  }
}
