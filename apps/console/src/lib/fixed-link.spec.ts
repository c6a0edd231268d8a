import { withTimes } from './fixed-link';

describe('withTimes', () => {
  it('replaces the length of the window by its start and end, and keeps everything else', () => {
    expect(
      withTimes('http://host/metric/a%7Bb%3D%22c%22%7D?w=6h&vs=%5B%22week%22%5D&tz=utc#x', {
        from: 100.5,
        until: 200.2,
      }),
    ).toBe('http://host/metric/a%7Bb%3D%22c%22%7D?vs=%5B%22week%22%5D&tz=utc&from=100&until=201#x');
  });
});
