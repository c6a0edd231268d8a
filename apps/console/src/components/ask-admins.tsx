import { useQuery } from '@tanstack/react-query';
import { texts } from './components.texts';
import { useMe } from '../lib/me';
import { orgInfoQuery } from '../lib/org-info';
import { isolated } from '../lib/isolated';

/** States why a user who is not an administrator may not do something, and who may; nothing for administrators. */
export function AskAdmins({ why }: { why?: string }) {
  const me = useMe();
  const { data } = useQuery({ ...orgInfoQuery, enabled: !me.admin && !me.demo });
  if (me.admin) return null;
  if (me.demo) return <span>{texts.demoReads}</span>;
  const names = (data?.admin_users ?? []).flatMap(({ name }) => (name === '' ? [] : [isolated(name)])).join(', ');
  return (
    <span>
      {why !== undefined && `${why} `}
      {names === '' ? texts.askAdmin : texts.askAdmins(names)}
    </span>
  );
}
