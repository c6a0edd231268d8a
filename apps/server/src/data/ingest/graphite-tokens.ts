import { BlockList, isIP } from 'node:net';
import { plainAddress } from '../../common/http/client-address.js';

/** A token for all senders in a range of addresses. */
export interface TokenRange {
  addresses: BlockList;
  token: string;
}

const TOKEN = /^pl_[\w-]{43}$/;

/** Parses `10.1.0.0/16=pl_…,2001:db8::/32=pl_…`. `wrong`: the positions (from 1) of invalid entries. */
export function readTokenRanges(text: string): { ranges: TokenRange[]; wrong: number[] } {
  const ranges: TokenRange[] = [];
  const wrong: number[] = [];
  const entries = text.split(',').map((entry) => entry.trim());
  entries.forEach((entry, index) => {
    if (entry === '') return;
    const range = readTokenRange(entry);
    if (range) ranges.push(range);
    else wrong.push(index + 1);
  });
  return { ranges, wrong };
}

/** The token of the first range that contains an address (IPv4 written as IPv6 counts as IPv4). */
export function tokenOfAddress(ranges: readonly TokenRange[], address: string): string | undefined {
  const plain = plainAddress(address);
  const family = isIP(plain) === 6 ? 'ipv6' : 'ipv4';
  return ranges.find(({ addresses }) => addresses.check(plain, family))?.token;
}

function readTokenRange(entry: string): TokenRange | undefined {
  const [network = '', token = '', ...rest] = entry.split('=').map((part) => part.trim());
  if (rest.length > 0 || !TOKEN.test(token)) return undefined;
  const [address = '', prefix] = network.split('/');
  const version = isIP(address);
  if (version === 0) return undefined;
  const bits = version === 4 ? 32 : 128;
  const length = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Infinity;
  if (length > bits) return undefined;
  const addresses = new BlockList();
  addresses.addSubnet(address, length, version === 4 ? 'ipv4' : 'ipv6');
  return { addresses, token };
}
