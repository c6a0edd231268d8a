import { Injectable } from '@nestjs/common';
import { compress } from 'snappy';
import { composeRemoteWrite, type RemoteWriteSample } from '#libs/protocols';
import { Clock } from '../../common/clock.js';
import { isRedirect, isTaken, retryAfterOf } from '../../platform/outgoing/outgoing-answer.functions.js';
import { OutgoingClientService } from '../../platform/outgoing/outgoing-client.service.js';
import { quoted } from './reading/answer-collector.js';
import { below, credentialsOf } from './reading/http-query.js';
import { type StoredSource } from './source-drivers.service.js';
import { SourceSecretsService } from './source-secrets.service.js';
import { SourceWriteError } from './source.errors.js';

const PATH = '/api/v1/write';
/**
 * Answers of stores that accept samples only in chronological order, to a sample that they already have or that is too
 * old.
 */
const LATE = /out of order|out of bounds|duplicate sample|too old/i;
const UNSTORABLE = new Set([400, 422]);

/** Writes to the store that a source reads, by Prometheus remote write 1.0, at the same address and with its credentials. */
@Injectable()
export class SourceWriterService {
  constructor(
    private readonly outgoing: OutgoingClientService,
    private readonly box: SourceSecretsService,
    private readonly clock: Clock,
  ) {}

  /**
   * One request. Resolves when the store has accepted the samples, or has refused them as too old.
   * @throws SourceWriteError, OutgoingError
   */
  async write(
    source: Pick<StoredSource, 'url' | 'username' | 'timeoutSeconds' | 'orgId' | 'secretsSealed'>,
    samples: readonly RemoteWriteSample[],
    signal: AbortSignal,
  ): Promise<void> {
    const answer = await this.outgoing.send({
      url: below(source.url, PATH),
      headers: {
        'Content-Type': 'application/x-protobuf',
        'Content-Encoding': 'snappy',
        'X-Prometheus-Remote-Write-Version': '0.1.0',
        ...credentialsOf(source.username, this.box.open(source)),
      },
      body: await compress(Buffer.from(composeRemoteWrite(samples))),
      timeoutMs: source.timeoutSeconds * 1000,
      signal,
    });
    if (isTaken(answer)) return;
    const { status } = answer;
    const detail = quoted(answer.body.toString('utf8'));
    if (UNSTORABLE.has(status) && LATE.test(detail)) return;
    const reason = `${below(source.url, PATH)} answers ${String(status)}${hintOf(status, detail)}`;
    const isFinal = isRedirect(answer) || (status >= 400 && status < 500 && status !== 408 && status !== 429);
    throw new SourceWriteError(reason, isFinal, retryAfterOf(answer, this.clock.now()));
  }
}

function hintOf(status: number, detail: string): string {
  if (status >= 300 && status < 400) return ' with another address; give that one as the url';
  if (status === 401 || status === 403) return ': do the credentials permit writing?';
  if (status === 404)
    return ': does the store accept remote write? Prometheus needs --web.enable-remote-write-receiver';
  return detail === '' ? '' : `: ${detail}`;
}
