import { addressKey, plainAddress } from './client-address.js';

describe('plainAddress', () => {
  const f = (address: string, want: string) => {
    it(`${address} -> ${want}`, () => {
      expect(plainAddress(address)).toBe(want);
    });
  };
  f('192.0.2.7', '192.0.2.7');
  f('::ffff:192.0.2.7', '192.0.2.7');
  f('::FFFF:192.0.2.7', '192.0.2.7');
  f('::1', '::1');
  f('2001:db8::192.0.2.7', '2001:db8::192.0.2.7');
});

describe('addressKey', () => {
  const f = (address: string | undefined, want: string) => {
    it(`${String(address)} -> ${want}`, () => {
      expect(addressKey(address)).toBe(want);
    });
  };
  f('192.0.2.7', '192.0.2.7');
  f('::ffff:192.0.2.7', '192.0.2.7');
  f('2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64');
  f('2001:DB8::1', '2001:db8:0:0::/64');
  f('::1', '0:0:0:0::/64');
  f('fe80::1%eth0', 'fe80:0:0:0::/64');
  f(undefined, 'unknown');
});
