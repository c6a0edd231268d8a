import { WorkerCallError, WorkerChannel, WorkerGoneError, WorkerTimeoutError } from './worker-channel.js';

/** A thread that doubles numbers, throws for negative ones, exits at zero, and never answers 1000. */
const ENTRY = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ call, request }) => {
      if (request === 0) process.exit(3);
      while (request === 1000);
      if (request < 0) parentPort.postMessage({ call, error: { name: 'RangeError', message: 'too small', stack: 'there' } });
      else parentPort.postMessage({ call, response: request * 2 });
    });`)}`,
);

describe('WorkerChannel', () => {
  let channel: WorkerChannel<number, number>;

  beforeEach(() => {
    channel = new WorkerChannel(ENTRY, 'doubler');
  });

  afterEach(() => channel.close());

  it('answers calls in order', async () => {
    expect(await Promise.all([1, 2, 3].map((number) => channel.call(number)))).toEqual([2, 4, 6]);
  });

  it('rejects with the error of the thread, and answers the next call', async () => {
    const error = await channel.call(-1).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(WorkerCallError);
    expect(error).toMatchObject({ remoteName: 'RangeError', message: 'too small', remoteStack: 'there' });
    expect(await channel.call(1)).toBe(2);
  });

  it('rejects the open calls when the thread exits, and starts another thread', async () => {
    const open = [channel.call(0), channel.call(1)];
    const results = await Promise.allSettled(open);
    expect(results.map((result) => result.status === 'rejected' && result.reason instanceof WorkerGoneError)).toEqual([
      true,
      true,
    ]);
    expect(await channel.call(4)).toBe(8);
  });

  it('settles open calls when it is closed', async () => {
    const open = channel.call(1).then(
      () => 'answered',
      (error: unknown) => (error as Error).name,
    );
    await channel.close();
    expect(['WorkerGoneError', 'answered']).toContain(await open);
  });

  it('ends a thread that exceeds the time limit of a call, and starts another', async () => {
    const limited = new WorkerChannel<number, number>(ENTRY, 'doubler', 1000);
    expect(await limited.call(1)).toBe(2);
    const results = await Promise.allSettled([limited.call(2), limited.call(1000), limited.call(3)]);
    expect(results[0]).toMatchObject({ value: 4 });
    expect(results[1]).toMatchObject({ reason: expect.any(WorkerTimeoutError) as unknown });
    expect(results[2]).toMatchObject({ reason: { name: 'WorkerGoneError' } });
    expect(await limited.call(4)).toBe(8);
    await limited.close();
  });

  it('rejects a request that cannot be cloned', async () => {
    const unsendable = (() => 1) as unknown as number;
    await expect(channel.call(unsendable)).rejects.toThrow(/could not be cloned/);
  });
});
