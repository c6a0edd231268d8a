/** `::ffff:10.0.0.1`, as a dual-stack listener reports it, is 10.0.0.1. */
export function plainAddress(address: string): string {
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

/**
 * The part of a client address that is counted: all of an IPv4 address, and the first 64 bits of an IPv6 address,
 * because one subscriber controls the rest.
 */
export function addressKey(address: string | undefined): string {
  if (address === undefined) return 'unknown';
  const plain = plainAddress(address);
  if (!plain.includes(':')) return plain;
  const [head = '', tail] = plain.toLowerCase().split('%', 1)[0]!.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - front.length - back.length);
  const groups = [...front, ...Array<string>(zeros).fill('0'), ...back];
  return `${groups.slice(0, 4).join(':')}::/64`;
}
