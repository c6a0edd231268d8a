import { Tabs } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { keepView } from '../../../lib/keep-view';
import { texts } from '../alerts.texts';

const PATHS = {
  watchers: '/alerts',
  deliveries: '/alerts/deliveries',
  events: '/alerts/events',
  exclusions: '/alerts/exclusions',
  recipients: '/alerts/recipients',
  admin: '/alerts/admin',
} as const;
type Tab = keyof typeof PATHS;

/** The pages of alerts under one title; each has a separate address. */
export function AlertsTabs({ tab, children }: { tab: Tab; children: ReactNode }) {
  const navigate = useNavigate();
  const choose = (next: string | null): void => void navigate({ to: PATHS[next as Tab], search: keepView } as never);
  return (
    <Tabs value={tab} mt="xs" onChange={choose}>
      <Tabs.List>
        {(Object.keys(PATHS) as Tab[]).map((id) => (
          <Tabs.Tab key={id} value={id}>
            {texts.tabs[id]}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={tab} pt="sm">
        {children}
      </Tabs.Panel>
    </Tabs>
  );
}
