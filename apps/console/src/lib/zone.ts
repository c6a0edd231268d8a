import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { meQuery } from './me';
import { withoutAccount } from './session-state';
import { localZone } from './time';
import { type ViewSearch } from './window';

/**
 * The IANA zone in which the page shows times: that of the address, otherwise that of the organisation, or UTC without
 * an account.
 */
export function useZone(): string {
  const { tz }: ViewSearch = useSearch({ strict: false });
  const { data } = useQuery({ ...meQuery, enabled: !withoutAccount.use() });
  if (tz === 'utc') return 'Etc/UTC';
  return tz === 'local' ? localZone() : (data?.user.org.timezone ?? 'UTC');
}
