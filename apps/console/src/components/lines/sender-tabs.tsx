import { Tabs } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useSearch } from '@tanstack/react-router';
import { orgInfoQuery } from '../../lib/org-info';
import { type Sender, SENDERS } from '../../lib/senders';
import { useSetSearch } from '../../lib/set-search';
import { texts } from '../components.texts';
import { SenderLines } from './sender-lines';

/** Lines for each sender; `sender` in the address selects the shown ones. */
export function SenderTabs({ token }: { token: string | undefined }) {
  const { sender: wanted }: { sender?: Sender } = useSearch({ strict: false });
  const set = useSetSearch({ replace: true });
  const org = useQuery(orgInfoQuery);
  // Without a listener for Graphite, there are no lines for it.
  const hasGraphite = (org.data?.environment.graphite_address ?? null) !== null;
  const senders = SENDERS.filter((sender) => sender !== 'graphite' || hasGraphite);
  const sender = senders.find((one) => one === wanted) ?? 'http';
  return (
    <Tabs value={sender} onChange={(next) => set({ sender: next ?? undefined })} keepMounted={false}>
      <Tabs.List aria-label={texts.senders}>
        {senders.map((id) => (
          <Tabs.Tab key={id} value={id}>
            {texts.sender[id]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      {senders.map((id) => (
        <Tabs.Panel key={id} value={id} pt="sm">
          <SenderLines sender={id} token={token} />
        </Tabs.Panel>
      ))}
    </Tabs>
  );
}
