import { isolated } from './isolated';

describe('a name within a sentence', () => {
  it('stays as it is where it runs from left to right', () => {
    expect(isolated('api.latency {pod="a"} 🦊')).toBe('api.latency {pod="a"} 🦊');
  });

  it('is set apart where it runs from right to left', () => {
    expect(isolated('זמן תגובה')).toBe('\u2068זמן תגובה\u2069');
  });

  it('loses marks that would turn what comes after it', () => {
    expect(isolated('ok\u202egpj')).toBe('\u2068okgpj\u2069');
  });
});
