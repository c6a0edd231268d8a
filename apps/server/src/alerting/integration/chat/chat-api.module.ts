import { Module } from '@nestjs/common';
import { OrgModule } from '../../../people/org/org.module.js';
import { ChatApi } from './chat-api.service.js';
import { ChatDirectory } from './chat-directory.service.js';

/** The way to the chat's provider, for alerts and for those who list its channels. */
@Module({ imports: [OrgModule], providers: [ChatApi, ChatDirectory], exports: [ChatApi, ChatDirectory] })
export class ChatApiModule {}
