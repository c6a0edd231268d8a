import { isolated } from './isolated';

describe('isolated', () => {
  it('returns left-to-right names unchanged', () => {
    expect(isolated('api.latency {pod="a"} 🦊')).toBe('api.latency {pod="a"} 🦊');
  });

  it('wraps right-to-left names in isolation marks', () => {
    expect(isolated('זמן תגובה')).toBe('\u2068זמן תגובה\u2069');
  });

  it('removes marks that would override the direction of the following text', () => {
    expect(isolated('ok\u202egpj')).toBe('\u2068okgpj\u2069');
  });
});
