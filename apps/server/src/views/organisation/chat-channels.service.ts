import { Injectable } from '@nestjs/common';
import { ChatDirectoryService } from '../../alerting/integration/chat/chat-directory.service.js';
import { Clock } from '../../common/clock.js';
import { type AnswerHead } from '../../common/http/answer.js';
import { type ChannelsDto } from './dto/org-answers.dto.js';

/** The channels of an organisation's chat. */
@Injectable()
export class ChatChannelsService {
  constructor(
    private readonly directory: ChatDirectoryService,
    private readonly clock: Clock,
  ) {}

  /** @throws ChatNotConnectedError, ChatFailedError */
  async list(orgId: number, head: AnswerHead): Promise<ChannelsDto> {
    const { channels, fetchedAt } = await this.directory.list(orgId);
    head.usedCache(this.clock.now() - fetchedAt);
    return { channels: [...channels] };
  }
}
