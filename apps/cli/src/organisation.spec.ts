import { chooseOrganisation } from './organisation.js';

const ONE = { id: 1, name: 'Example Ltd' };
const TWO = { id: 2, name: 'Other' };

describe('chooseOrganisation', () => {
  it('returns the only organisation without a reference', () => expect(chooseOrganisation([ONE], undefined)).toBe(ONE));

  it.each([
    ['name', 'Other'],
    ['id', '2'],
  ])('finds an organisation by its %s', (_, wanted) => expect(chooseOrganisation([ONE, TWO], wanted)).toBe(TWO));

  it.each([
    [
      'several organisations without a reference',
      [ONE, TWO],
      undefined,
      'choose an organisation with --org: "Example Ltd" (1), "Other" (2)',
    ],
    ['no organisation', [], undefined, 'there is no organisation yet'],
    ['an unknown name', [ONE], 'Nope', 'there is no organisation "Nope"; there is "Example Ltd" (1)'],
    ['an ambiguous name', [ONE, { id: 3, name: 'Example Ltd' }], 'Example Ltd', 'give the id'],
  ])('rejects %s', (_, all, wanted, message) => expect(() => chooseOrganisation(all, wanted)).toThrow(message));
});
