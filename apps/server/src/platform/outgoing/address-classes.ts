import { BlockList, isIP } from 'node:net';

/** Class of an address by its reachability from here. */
export type AddressClass =
  /** Reachable from the whole internet. */
  | 'public'
  /** An address of this machine, this network, or another network that is not the internet. */
  | 'inside'
  /** Link-local or reserved, or the address where clouds serve machine credentials. Never reached. */
  | 'never';

type Network = readonly [address: string, prefix: number];

/** Entries of the special-purpose registries of IANA that are not reachable from the whole internet. */
const INSIDE_4: readonly Network[] = [
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
];
const NEVER_4: readonly Network[] = [
  ['0.0.0.0', 8],
  ['100.100.100.200', 32],
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];
const INSIDE_6: readonly Network[] = [
  ['::1', 128],
  ['fc00::', 7],
];
const NEVER_6: readonly Network[] = [
  // Metadata of Amazon and Google.
  ['fd00:ec2::', 32],
  ['fd20:ce::', 32],
  ['fe80::', 10],
];
/** Networks in 2000::/3, the range of globally reachable addresses, that are not globally reachable. */
const NOT_PUBLIC_6: readonly Network[] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
];

const listOf = (networks: readonly Network[], family: 'ipv4' | 'ipv6'): BlockList => {
  const list = new BlockList();
  for (const [address, prefix] of networks) list.addSubnet(address, prefix, family);
  return list;
};

const LISTS = {
  inside4: listOf(INSIDE_4, 'ipv4'),
  never4: listOf(NEVER_4, 'ipv4'),
  inside6: listOf(INSIDE_6, 'ipv6'),
  never6: listOf(NEVER_6, 'ipv6'),
  global6: listOf([['2000::', 3]], 'ipv6'),
  notPublic6: listOf(NOT_PUBLIC_6, 'ipv6'),
};

/**
 * `address` in the form of DNS and sockets. An IPv6 address that embeds an IPv4 address is classified by the latter.
 */
export function classOf(address: string): AddressClass {
  const plain = carriedAddress(address);
  if (isIP(plain) === 4) {
    if (LISTS.never4.check(plain)) return 'never';
    return LISTS.inside4.check(plain) ? 'inside' : 'public';
  }
  if (isIP(plain) !== 6 || plain.includes('%') || LISTS.never6.check(plain, 'ipv6')) return 'never';
  if (LISTS.inside6.check(plain, 'ipv6')) return 'inside';
  return LISTS.global6.check(plain, 'ipv6') && !LISTS.notPublic6.check(plain, 'ipv6') ? 'public' : 'never';
}

/** Prefixes under which the last 32 bits are an IPv4 address: mapped, translated (SIIT, NAT64). */
const CARRIERS: readonly (readonly number[])[] = [
  [0, 0, 0, 0, 0, 0xffff],
  [0, 0, 0, 0, 0xffff, 0],
  [0x64, 0xff9b, 0, 0, 0, 0],
];

/** The IPv4 address embedded in an IPv6 address; any other address unchanged. */
function carriedAddress(address: string): string {
  if (isIP(address) !== 6) return address;
  const groups = groupsOf(address);
  if (!CARRIERS.some((prefix) => prefix.every((group, at) => groups[at] === group))) return address;
  const [high, low] = [groups[6]!, groups[7]!];
  return [high >> 8, high & 255, low >> 8, low & 255].join('.');
}

/** The eight groups of an IPv6 address. */
function groupsOf(address: string): number[] {
  // The URL parser normalises every form: hexadecimal, the longest run of zeros as "::".
  const host = new URL(`http://[${address.split('%', 1)[0]!}]`).hostname.slice(1, -1);
  const [head = '', tail] = host.split('::');
  const front = head === '' ? [] : head.split(':');
  const back = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = Array<string>(8 - front.length - back.length).fill('0');
  return [...front, ...zeros, ...back].map((group) => parseInt(group, 16));
}

const NETWORK = /^([0-9A-Fa-f:.]{2,45})\/(\d{1,3})$/;

/** Parses a network such as `10.0.0.0/8`; undefined if the text is not a network. */
export function parseNetwork(text: string): BlockList | undefined {
  const [, address = '', prefixText = ''] = NETWORK.exec(text) ?? [];
  const [version, prefix] = [isIP(address), Number(prefixText)];
  if (version === 0 || prefix > (version === 4 ? 32 : 128)) return undefined;
  const list = new BlockList();
  list.addSubnet(address, prefix, version === 4 ? 'ipv4' : 'ipv6');
  return list;
}

/** True if the address, or its embedded IPv4 address, is in the network. */
export function isWithin(network: BlockList, address: string): boolean {
  const plain = carriedAddress(address);
  return isIP(plain) !== 0 && network.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6');
}
