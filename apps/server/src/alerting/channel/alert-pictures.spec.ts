import { CONTENTS, START } from '../../../../../test/support/alert-contents.js';
import { HandClock } from '../../../../../test/support/hand-clock.js';
import { MetricsRegistry } from '../../common/telemetry/metrics.js';
import { AlertPicturesService, type PictureRequest } from './alert-pictures.service.js';

const SIZE = { width: 440, height: 190, scale: 2 };

function picturesAt(seconds: number): AlertPicturesService {
  const clock = new HandClock();
  clock.seconds = seconds;
  return new AlertPicturesService(clock, new MetricsRegistry());
}

describe('AlertPicturesService', () => {
  it('draws the worst metric around the time of the message, once for all recipients', async () => {
    const requests: PictureRequest[] = [];
    const pictures = picturesAt(START + 30);
    pictures.register({
      draw: (request) => {
        requests.push(request);
        return Promise.resolve(new Uint8Array([1]));
      },
    });
    const found = await Promise.all([1, 2].map(() => pictures.find(CONTENTS.storm!(), SIZE)));
    expect(found).toEqual([Buffer.from([1]), Buffer.from([1])]);
    expect(requests).toEqual([{ orgId: 12, metricId: 455, from: START - 5 * 3600, until: START + 30, ...SIZE }]);
  });

  it('returns null when the picture is late, drawing fails, or there is no source or metric', async () => {
    const content = CONTENTS.storm!();
    expect(await picturesAt(START).find(content, SIZE)).toBeNull();
    const pictures = picturesAt(START);
    pictures.register({ draw: () => new Promise(() => undefined) });
    expect(await pictures.find(content, SIZE, 1)).toBeNull();
    expect(await pictures.find(CONTENTS.admin!(), SIZE)).toBeNull();
    const failing = picturesAt(START);
    failing.register({ draw: () => Promise.reject(new Error('no chart')) });
    expect(await failing.find(content, SIZE)).toBeNull();
  });

  it('shortens the deadline of a picture by the time that the message has waited, to at least 250 ms', async () => {
    const pictures = picturesAt(START);
    const waits: (number | undefined)[] = [];
    pictures.find = (_content, _size, deadlineMs) => {
      waits.push(deadlineMs);
      return Promise.resolve(null);
    };
    for (const waited of [0, 0.4, 2, 3600, -5]) {
      await pictures.findFor({ content: CONTENTS.single!(), createdAt: START + 0.25 - waited }, SIZE);
    }
    expect(waits.map((wait) => Math.round(wait!))).toEqual([1000, 600, 250, 250, 1000]);
  });

  it('aborts a drawing after the deadlines of all waiting messages, and draws again on the next request', async () => {
    const drawing: AbortSignal[] = [];
    const pictures = picturesAt(START);
    pictures.register({
      draw: (_, abandoned) => {
        drawing.push(abandoned);
        return new Promise((resolve, reject) => {
          if (drawing.length === 2) resolve(new Uint8Array([2]));
          abandoned.addEventListener('abort', () => reject(new Error('no mail waits')));
        });
      },
    });
    const content = CONTENTS.single!();
    const found = pictures.find(content, SIZE, 50);
    expect(await pictures.find(content, SIZE, 1)).toBeNull();
    expect(drawing.map(({ aborted }) => aborted)).toEqual([false]);
    expect(await found).toBeNull();
    expect(drawing.map(({ aborted }) => aborted)).toEqual([true]);
    expect(await pictures.find(content, SIZE)).toEqual(Buffer.from([2]));
    expect(drawing).toHaveLength(2);
  });

  it('reuses a picture that was late for an earlier message', async () => {
    const pictures = picturesAt(START);
    let end: (png: Uint8Array) => void = () => undefined;
    let drawn = 0;
    pictures.register({
      draw: () => {
        drawn++;
        return new Promise((resolve) => (end = resolve));
      },
    });
    const content = CONTENTS.single!();
    expect(await pictures.find(content, SIZE, 1)).toBeNull();
    end(new Uint8Array([3]));
    await new Promise((resolve) => setImmediate(resolve));
    expect(await pictures.find(content, SIZE)).toEqual(Buffer.from([3]));
    expect(drawn).toBe(1);
  });
});
