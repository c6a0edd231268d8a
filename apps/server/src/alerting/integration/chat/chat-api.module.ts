import { Module } from '@nestjs/common';
import { ChatApi } from './chat-api.service.js';

/** The way to the chat's provider, for alerts and for those who list its channels. */
@Module({ providers: [ChatApi], exports: [ChatApi] })
export class ChatApiModule {}
