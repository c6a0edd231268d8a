import { type Payload } from './stream.types.js';

export function payloadsOf<From>(
  records: ReadonlyMap<number, From>,
  to: (record: From) => Payload,
): Map<number, Payload> {
  return new Map([...records].map(([id, record]) => [id, to(record)]));
}
