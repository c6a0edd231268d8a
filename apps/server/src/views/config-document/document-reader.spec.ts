import { jest } from '@jest/globals';
import { ClientGoneError } from '../../common/fair-share/fair-queue.js';
import { FairQueueRegistry } from '../../common/fair-share/fair-queue-registry.js';
import { OverloadedError } from '../../common/http/http.errors.js';
import { currentRequest, RequestContext } from '../../common/http/request-context.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { InlineExecutor } from '../../common/workers/executor.js';
import { WorkerGoneError, WorkerTimeoutError } from '../../common/workers/worker-channel.js';
import { ConfigDocumentError } from './config-document.errors.js';
import { type DocumentReading } from './config-document.types.js';
import { DocumentReaderService } from './document-reader.service.js';

const DOCUMENT = 'kind: tuning\nname: web';

describe('DocumentReaderService', () => {
  let reader: DocumentReaderService;
  beforeEach(() => {
    reader = new DocumentReaderService(new FairQueueRegistry(new MetricsRegistry()));
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await reader.onApplicationShutdown();
  });

  const threadDoes = (work: (text: string) => Promise<DocumentReading>) =>
    jest.spyOn(InlineExecutor.prototype as InlineExecutor<string, DocumentReading>, 'call').mockImplementation(work);

  it('passes documents of any length to the thread without parsing them itself', async () => {
    const objects = [{ kind: 'tuning', fields: { name: 'web' }, line: 1, lines: new Map([['name', 2]]) }];
    const asked: string[] = [];
    threadDoes(async (text) => {
      asked.push(text);
      return { objects, problems: [] };
    });
    // Invalid YAML would fail if it were parsed here.
    for (const garbage of ['}', `[${'{'.repeat(400_000)}`]) {
      expect(await reader.read(1, garbage)).toBe(objects);
      expect(asked.pop()).toBe(garbage);
    }
  });

  it('takes turns between organisations, however many documents one of them sends', async () => {
    const read: number[] = [];
    const send = (orgId: number) => reader.read(orgId, DOCUMENT).then(() => read.push(orgId));
    await Promise.all([...Array.from({ length: 10 }, () => send(1)), send(2)]);
    expect(read.indexOf(2)).toBeLessThanOrEqual(2);
  });

  it('reads documents of other organisations during a slow one, which fails with a timeout', async () => {
    let end = (): void => undefined;
    threadDoes((text) =>
      text === 'long'
        ? new Promise((_, reject) => {
            end = () => reject(new WorkerTimeoutError('documents', 20_000));
          })
        : Promise.resolve({ objects: [], problems: [] }),
    );
    const long = reader.read(1, 'long').catch((error: unknown) => error);
    const behind = reader.read(1, DOCUMENT);
    for (let i = 0; i < 3; i++) expect(await reader.read(2, DOCUMENT)).toEqual([]);
    end();
    expect(await long).toMatchObject({
      code: 'validation_failed',
      details: [{ field: 'document', code: 'too_long', message: expect.stringContaining('20 s') as string }],
    });
    expect(await behind).toEqual([]);
  });

  it('limits the number of waiting documents per organisation', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 15 }, () => reader.read(1, DOCUMENT)));
    const refused = answers.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused).toHaveLength(4);
    expect(refused[0]!.reason).toBeInstanceOf(OverloadedError);
  });

  it('skips documents of a disconnected client, and rejects those already read', async () => {
    const asked: string[] = [];
    let answer = (): void => undefined;
    threadDoes(async (text) => {
      asked.push(text);
      await new Promise<void>((resolve) => {
        answer = resolve;
      });
      return { objects: [], problems: [] };
    });
    const client = new RequestContext(undefined);
    const [first, second] = currentRequest.run(client, () =>
      ['first', 'second'].map((text) => reader.read(1, text).catch((error: unknown) => error)),
    );
    client.recordGone();
    expect(await second).toBeInstanceOf(ClientGoneError);
    answer();
    expect(await first).toBeInstanceOf(ClientGoneError);
    expect(asked).toEqual(['first']);
  });

  it('rejects an invalid document, and reports overload when the thread died', async () => {
    await expect(reader.read(1, 'kind: a\nkind: b')).rejects.toThrow(ConfigDocumentError);
    threadDoes(async () => {
      throw new WorkerGoneError('out of memory');
    });
    await expect(reader.read(1, DOCUMENT)).rejects.toThrow(OverloadedError);
  });
});
