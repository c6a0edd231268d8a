import fc from 'fast-check';
import {
  ALL_PERMISSIONS,
  missingPermissions,
  Permission,
  PERMISSION_NAMES,
  type PermissionFlags,
  toBits,
  toFlags,
} from './permissions.js';

describe('permission bits', () => {
  it('have fixed numbers', () => {
    expect(Permission).toEqual({ Read: 1, Write: 2, Alert: 4, Ingest: 8, Admin: 16 });
  });

  it('are distinct powers of two below bit 31', () => {
    const bits = Object.values(Permission);
    expect(new Set(bits).size).toBe(bits.length);
    for (const bit of bits) expect(bit > 0 && bit < 2 ** 31 && (bit & (bit - 1)) === 0).toBe(true);
  });

  it('survive conversion to flags and back', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: ALL_PERMISSIONS }), (bits) => toBits(toFlags(bits)) === bits));
    const flags = fc.record(
      Object.fromEntries(PERMISSION_NAMES.map((name) => [name, fc.boolean()])),
    ) as fc.Arbitrary<PermissionFlags>;
    fc.assert(
      fc.property(flags, (given) => {
        expect(toFlags(toBits(given))).toEqual(given);
      }),
    );
  });

  it('set no flag if they are not defined', () => {
    expect(toFlags(1 << 20)).toEqual({ read: false, write: false, alert: false, ingest: false, admin: false });
  });

  it.each([
    [Permission.Read, Permission.Read, []],
    [Permission.Admin, Permission.Read, ['read']],
    [0, ALL_PERMISSIONS, ['read', 'write', 'alert', 'ingest', 'admin']],
    [ALL_PERMISSIONS, 0, []],
  ])('with %i held and %i needed lack %j', (held, needed, missing) => {
    expect(missingPermissions(held, needed)).toEqual(missing);
  });
});
