import { Tabs, Text, Title } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { MatchesTab } from './parts/matches-tab';
import { NoisyTab } from './parts/noisy-tab';
import { PatternsTab } from './parts/patterns-tab';
import { TuningsTab } from './parts/tunings-tab';
import { TABS, type Tab, type TeachSearch } from './teach-search';
import { texts } from './teach.texts';
import classes from './teach.module.css';

const PARTS: Record<Tab, () => React.JSX.Element | null> = {
  matches: MatchesTab,
  patterns: PatternsTab,
  tunings: TuningsTab,
  noisy: NoisyTab,
};

/** Trainings, matches that wait for a verdict, and the noisiest metrics. */
export function TeachPage() {
  const { tab = 'matches' }: TeachSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const choose = (value: string | null): void =>
    void navigate({
      to: '.',
      search: ({ metric: _metric, ...current }: Record<string, unknown>) => ({
        ...current,
        tab: value === 'matches' ? undefined : value,
      }),
    } as never);
  const Part = PARTS[tab];
  return (
    <div className={classes.page}>
      <div>
        <Title order={1}>{texts.title}</Title>
        <Text size="sm" className="dim">
          {texts.intro}
        </Text>
      </div>
      <Tabs value={tab} onChange={choose}>
        <Tabs.List>
          {TABS.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {texts.tabs[name]}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} pt="sm">
          <Part />
        </Tabs.Panel>
      </Tabs>
    </div>
  );
}
