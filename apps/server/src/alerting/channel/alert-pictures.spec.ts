import { CONTENTS, START } from '../../../../../test/support/alert-contents.js';
import { HandClock } from '../../../../../test/support/hand-clock.js';
import { AlertPictures, type PictureWish } from './alert-pictures.service.js';

const SIZE = { width: 440, height: 190, scale: 2 };

function picturesAt(seconds: number): AlertPictures {
  const clock = new HandClock();
  clock.seconds = seconds;
  return new AlertPictures(clock);
}

describe('AlertPictures', () => {
  it('draws the worst metric around the time that the message is about, once for all who get it', async () => {
    const wishes: PictureWish[] = [];
    const pictures = picturesAt(START + 30);
    pictures.register({
      draw: (wish) => {
        wishes.push(wish);
        return Promise.resolve(new Uint8Array([1]));
      },
    });
    const found = await Promise.all([1, 2].map(() => pictures.find(CONTENTS.storm!(), SIZE)));
    expect(found).toEqual([Buffer.from([1]), Buffer.from([1])]);
    expect(wishes).toEqual([{ orgId: 12, metricId: 455, from: START - 5 * 3600, until: START + 30, ...SIZE }]);
  });

  it('is without one when none comes in time, the source fails, there is no source, or nothing to draw', async () => {
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
});
