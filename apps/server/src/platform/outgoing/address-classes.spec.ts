import { classOf, isWithin, parseNetwork } from './address-classes.js';

describe('classOf', () => {
  it.each(['8.8.8.8', '93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946', '::ffff:8.8.8.8', '64:ff9b::8.8.8.8'])(
    'returns public for %s',
    (address) => {
      expect(classOf(address)).toBe('public');
    },
  );

  it.each([
    '127.0.0.1',
    '127.255.255.254',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '::1',
    'fd12:3456::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '0:0:0:0:0:ffff:0a00:0001',
    '::127.0.0.1'.replace('::', '::ffff:0:'),
    '64:ff9b::10.0.0.1',
  ])('returns inside for %s', (address) => {
    expect(classOf(address)).toBe('inside');
  });

  it.each([
    '0.0.0.0',
    '169.254.169.254',
    '169.254.0.1',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    '224.0.0.1',
    '255.255.255.255',
    '198.18.0.1',
    '203.0.113.7',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fd00:ec2::254',
    'ff02::1',
    '::ffff:169.254.169.254',
    '::ffff:a9fe:a9fe',
    '64:ff9b::169.254.169.254',
    '64:ff9b:1::a9fe:a9fe',
    '2001:db8::1',
    '2002:7f00:1::',
    '2001:0:4136:e378::1',
    '::7f00:1',
    'no address',
    '',
  ])('returns never for %s', (address) => {
    expect(classOf(address)).toBe('never');
  });
});

describe('parseNetwork', () => {
  it('matches addresses within the network, including IPv4-mapped ones', () => {
    const network = parseNetwork('10.0.0.0/8')!;
    expect(isWithin(network, '10.255.0.1')).toBe(true);
    expect(isWithin(network, '::ffff:10.0.0.1')).toBe(true);
    expect(isWithin(network, '11.0.0.1')).toBe(false);
    expect(isWithin(network, 'fd00::1')).toBe(false);
    expect(isWithin(parseNetwork('fd00::/8')!, 'fd00::1')).toBe(true);
    expect(isWithin(parseNetwork('fd00::/8')!, '10.0.0.1')).toBe(false);
  });

  it.each(['10.0.0.0', '10.0.0.0/33', 'fd00::/129', '10.0.0/8', '/8', 'x/8', '10.0.0.0/'])('rejects %s', (text) => {
    expect(parseNetwork(text)).toBeUndefined();
  });
});
