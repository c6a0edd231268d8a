import { TouchedPlaces } from './touched-places.js';

describe('TouchedPlaces', () => {
  it('returns each place once, longest waiting first', () => {
    const touched = new TouchedPlaces();
    for (const place of [5, 3, 9, 3, 5]) touched.add(place);
    expect(touched.size).toBe(3);
    expect(touched.take(2)).toEqual([5, 3]);
    touched.add(5);
    expect(touched.take()).toEqual([9, 5]);
    expect(touched.take()).toEqual([]);
    expect(touched.size).toBe(0);
  });

  it('returns urgent places first, in addition to the requested number', () => {
    const touched = new TouchedPlaces();
    touched.add(1);
    touched.add(2);
    touched.addFirst(2);
    touched.addFirst(700);
    touched.addFirst(700);
    touched.add(700);
    expect(touched.size).toBe(3);
    expect(touched.take(0)).toEqual([2, 700]);
    expect(touched.take(1)).toEqual([1]);
    expect(touched.take()).toEqual([]);
  });

  it('returns new places before others, up to the requested number', () => {
    const touched = new TouchedPlaces();
    touched.add(1);
    for (const place of [2, 1, 3, 4]) touched.addNew(place);
    touched.addFirst(4);
    touched.addNew(4);
    touched.add(2);
    touched.add(5);
    expect([touched.size, touched.sizeNew]).toEqual([5, 3]);
    expect(touched.take(0, 2)).toEqual([4, 2, 1]);
    expect([touched.size, touched.sizeNew]).toEqual([2, 1]);
    expect(touched.take()).toEqual([3, 5]);
    expect([touched.size, touched.sizeNew]).toEqual([0, 0]);
  });

  it('returns the touched places of a range and removes them', () => {
    const touched = new TouchedPlaces();
    for (const place of [10, 256, 11]) touched.add(place);
    touched.addFirst(12);
    expect(touched.takeRange(0, 256)).toEqual([10, 11, 12]);
    expect(touched.size).toBe(1);
    touched.drop(256);
    expect(touched.take()).toEqual([]);
  });

  it('is consistent after places are taken by range and touched again many times', () => {
    const touched = new TouchedPlaces();
    for (let round = 0; round < 1000; round++) {
      for (let place = 0; place < 64; place++) touched.add(place);
      expect(touched.takeRange(0, 64)).toHaveLength(64);
    }
    touched.add(7);
    expect(touched.size).toBe(1);
    expect(touched.take()).toEqual([7]);
  });
});
