import { useSearch } from '@tanstack/react-router';
import { useMe } from './me';
import { localZone } from './time';
import { type ViewSearch } from './window';

/** The IANA zone in which the page shows times: the organisation's, unless the address says otherwise. */
export function useZone(): string {
  const { tz }: ViewSearch = useSearch({ strict: false });
  const me = useMe();
  if (tz === 'utc') return 'Etc/UTC';
  return tz === 'local' ? localZone() : me.org.timezone;
}
