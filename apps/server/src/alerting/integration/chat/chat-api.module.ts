import { Module } from '@nestjs/common';
import { OrgModule } from '../../../people/org/org.module.js';
import { ChatApiService } from './chat-api.service.js';
import { ChatDirectoryService } from './chat-directory.service.js';

/** The client of the chat provider, for alerts and for lists of its channels. */
@Module({
  imports: [OrgModule],
  providers: [ChatApiService, ChatDirectoryService],
  exports: [ChatApiService, ChatDirectoryService],
})
export class ChatApiModule {}
