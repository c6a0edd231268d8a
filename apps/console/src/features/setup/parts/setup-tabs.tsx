import { Tabs, Title } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { keepView } from '../../../lib/keep-view';
import { useMe } from '../../../lib/me';
import { texts } from '../setup.texts';

const PATHS = {
  tokens: '/setup/tokens',
  sources: '/setup/sources',
  people: '/setup/people',
  account: '/setup/account',
  integrations: '/setup/integrations',
  organisation: '/setup/organisation',
  billing: '/setup/billing',
  audit: '/setup/audit',
  configuration: '/setup/configuration',
  removal: '/setup/removal',
  status: '/setup/status',
} as const;
export type SetupTab = keyof typeof PATHS;

const FOR_ADMINS: readonly SetupTab[] = ['billing', 'audit', 'configuration', 'removal'];

/** The pages of the set-up under one title; each has a separate address. */
export function SetupTabs({ tab, children }: { tab: SetupTab; children: ReactNode }) {
  const navigate = useNavigate();
  const { admin: isAdmin } = useMe();
  const choose = (next: string | null): void =>
    void navigate({ to: PATHS[next as SetupTab], search: keepView } as never);
  const shown = (Object.keys(PATHS) as SetupTab[]).filter((id) => isAdmin || id === tab || !FOR_ADMINS.includes(id));
  return (
    <>
      <Title order={1}>{texts.title}</Title>
      <Tabs value={tab} mt="xs" onChange={choose}>
        <Tabs.List>
          {shown.map((id) => (
            <Tabs.Tab key={id} value={id}>
              {texts.tabs[id]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} pt="sm">
          {children}
        </Tabs.Panel>
      </Tabs>
    </>
  );
}
