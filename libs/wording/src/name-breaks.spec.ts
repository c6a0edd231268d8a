import fc from 'fast-check';
import { namePieces } from './name-breaks.js';

describe('namePieces', () => {
  it.each([
    ['web-1.eth0.tx_byte', ['web-', '1.', 'eth0.', 'tx_', 'byte']],
    ['up{job="api",env="live"}', ['up', '{job="api",', 'env="live"}']],
    ['node_load1', ['node_', 'load1']],
    ['plain', ['plain']],
    ['', ['']],
    ['a..b.', ['a..', 'b.']],
    ['rose to 3.4 at 10:00', ['rose to 3.4 at 10:00']],
  ])('splits %p into %p', (name, pieces) => expect(namePieces(name)).toEqual(pieces));

  it('returns pieces that form the name again', () => {
    fc.assert(fc.property(fc.string({ maxLength: 200 }), (name) => expect(namePieces(name).join('')).toBe(name)));
  });
});
