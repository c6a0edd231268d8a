import { Injectable, Logger } from '@nestjs/common';
import { type WebClient } from '@slack/web-api';
import { type AlertContent } from '#libs/alerting';
import { AlertPicturesService } from '../../channel/alert-pictures.service.js';
import { ChatApiService, chatProblem } from './chat-api.service.js';

const SIZE = { width: 640, height: 280, scale: 2 } as const;
const UPLOAD_MS = 10_000;

/**
 * Posts pictures below messages. They follow the message rather than being a part of it: a file that was just uploaded
 * cannot be a block for some seconds, and the message must not wait.
 */
@Injectable()
export class ChatPicturesService {
  private readonly logger = new Logger(ChatPicturesService.name);

  constructor(
    private readonly pictures: AlertPicturesService,
    private readonly api: ChatApiService,
  ) {}

  /** Never fails: without a picture the message has its link. @param place null for `ts`: in the channel itself */
  async share(client: WebClient, content: AlertContent, place: { channel: string; ts: string | null }): Promise<void> {
    try {
      const png = await this.pictures.find(content, SIZE);
      if (png !== null) await this.upload(client, png, content.items[0]?.metric ?? 'graph', place);
    } catch (error) {
      const { reason } = await chatProblem(error);
      this.logger.warn(`A message in the chat goes without its picture: ${reason}`);
    }
  }

  private async upload(
    client: WebClient,
    png: Buffer,
    metric: string,
    { channel, ts }: { channel: string; ts: string | null },
  ): Promise<void> {
    const title = `Graph of ${metric}`.slice(0, 200);
    const { upload_url: address = '', file_id: id = '' } = await client.files.getUploadURLExternal({
      filename: 'graph.png',
      length: png.length,
      alt_text: title,
    });
    if (!this.api.isUploadAddress(address)) throw new Error('the address for the upload is not of the provider');
    const answer = await fetch(address, {
      method: 'POST',
      headers: { 'Content-Type': 'image/png' },
      body: new Uint8Array(png),
      redirect: 'error',
      signal: AbortSignal.timeout(UPLOAD_MS),
    });
    await answer.arrayBuffer();
    if (!answer.ok) throw new Error(`the upload was refused with HTTP status ${String(answer.status)}`);
    await client.files.completeUploadExternal({
      files: [{ id, title }],
      channel_id: channel,
      ...(ts === null ? {} : { thread_ts: ts }),
    });
  }
}
