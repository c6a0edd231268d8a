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

describe('documents', () => {
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

  it('are read by the thread, whatever their length, and not a character of them here', async () => {
    const objects = [{ kind: 'tuning', fields: { name: 'web' }, line: 1, lines: new Map([['name', 2]]) }];
    const asked: string[] = [];
    threadDoes(async (text) => {
      asked.push(text);
      return { objects, problems: [] };
    });
    // Nothing that can be read.
    for (const garbage of ['}', `[${'{'.repeat(400_000)}`]) {
      expect(await reader.read(1, garbage)).toBe(objects);
      expect(asked.pop()).toBe(garbage);
    }
  });

  it('come by turns between organisations, however many one of them sends', async () => {
    const read: number[] = [];
    const send = (orgId: number) => reader.read(orgId, DOCUMENT).then(() => read.push(orgId));
    await Promise.all([...Array.from({ length: 10 }, () => send(1)), send(2)]);
    expect(read.indexOf(2)).toBeLessThanOrEqual(2);
  });

  it('of one organisation do not wait for one of another that takes long, and that one is refused with the reason in the end', async () => {
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

  it('wait in a number that is bounded for one organisation', async () => {
    const answers = await Promise.allSettled(Array.from({ length: 15 }, () => reader.read(1, DOCUMENT)));
    const refused = answers.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused).toHaveLength(4);
    expect(refused[0]!.reason).toBeInstanceOf(OverloadedError);
  });

  it('are not read for a client that has gone, and change nothing where they have been', async () => {
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

  it('that are wrong say where, and those whose thread has died may be sent again', async () => {
    await expect(reader.read(1, 'kind: a\nkind: b')).rejects.toThrow(ConfigDocumentError);
    threadDoes(async () => {
      throw new WorkerGoneError('out of memory');
    });
    await expect(reader.read(1, DOCUMENT)).rejects.toThrow(OverloadedError);
  });
});
