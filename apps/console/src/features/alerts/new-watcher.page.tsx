import { Anchor, Button, MultiSelect, Select, Slider, Stack, Text, TextInput, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type SubmitEvent, useState } from 'react';
import { ChipsField } from '../../components/chips-field';
import { words as shared } from '../../components/components.words';
import { Failed } from '../../components/page-states';
import { ApiError } from '../../lib/api';
import { useKeptDraft } from '../../lib/draft';
import { keepView } from '../../lib/keep-view';
import { useMayWrite, useMe } from '../../lib/me';
import { useCreateWatcher, usersQuery } from './api/new-watcher';
import classes from './new-watcher.module.css';
import { BUDGETS, DEFAULT_BUDGET, type WatcherDraft } from './new-watcher';
import { words } from './new-watcher.words';
import { WatcherReplay } from './parts/watcher-replay';

const SEVERITIES = ['0', '25', '50', '75'].map((value) => ({ value, label: words.severities[value] ?? value }));

/** A watcher of anomalies: what, how many, whom; what it would have sent stands beside it. */
export function NewWatcherPage() {
  const me = useMe();
  const mayWrite = useMayWrite();
  const navigate = useNavigate();
  const [isTried, setTried] = useState(false);
  const kept = useKeptDraft<WatcherDraft>('new watcher', {
    name: '',
    chips: [],
    budget: DEFAULT_BUDGET,
    minSeverity: 0,
    mailTo: [me.id],
  });
  const draft = kept.value;
  const change = (part: Partial<WatcherDraft>): void => kept.change((current) => ({ ...current, ...part }));
  const save = useCreateWatcher((id) => {
    kept.forget();
    void navigate({ to: '/watchers/$watcherId', params: { watcherId: String(id) }, search: keepView } as never);
  });
  const startAgain = (): void => {
    kept.forget();
    setTried(false);
    save.reset();
  };
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (draft.chips.length > 0) save.mutate(draft);
  };
  const problemOf = (field: string): string | undefined =>
    save.error instanceof ApiError ? save.error.problemOf(field) : undefined;
  return (
    <>
      <Anchor size="xs" renderRoot={(props: object) => <Link {...props} to="/alerts" search={keepView as never} />}>
        {words.all}
      </Anchor>
      <Title order={1} mb="sm">
        {words.title}
      </Title>
      <div className={classes.columns}>
        <form onSubmit={submit} noValidate>
          <Stack gap="sm">
            {kept.isTakenUp && (
              <Text size="sm" className="dim" role="status">
                {words.takenUp}{' '}
                <Button variant="default" size="compact-xs" onClick={startAgain}>
                  {words.startAgain}
                </Button>
              </Text>
            )}
            <ChipsField
              label={words.chips}
              placeholder={words.chipsHint}
              value={draft.chips}
              onChange={(chips) => change({ chips })}
              error={(isTried && draft.chips.length === 0 && words.chipsNeeded) || problemOf('chips')}
            />
            <Budget value={draft.budget} onChange={(budget) => change({ budget })} />
            <Select
              label={words.severity}
              size="xs"
              data={SEVERITIES}
              value={String(draft.minSeverity)}
              allowDeselect={false}
              onChange={(next) => change({ minSeverity: Number(next) })}
            />
            <Recipients
              value={draft.mailTo}
              onChange={(mailTo) => change({ mailTo })}
              error={problemOf('email_users')}
            />
            <TextInput
              label={words.name}
              placeholder={words.nameHint}
              size="xs"
              maxLength={100}
              value={draft.name}
              error={problemOf('name')}
              onChange={(event) => change({ name: event.currentTarget.value })}
            />
            {save.error && problemOf('chips') === undefined && <Failed error={save.error} />}
            {mayWrite ? (
              <Button type="submit" loading={save.isPending} style={{ alignSelf: 'flex-start' }}>
                {words.save}
              </Button>
            ) : (
              <Text size="sm" className="dim">
                {shared.demoReads}
              </Text>
            )}
          </Stack>
        </form>
        <WatcherReplay draft={draft} />
      </div>
    </>
  );
}

function Budget({ value, onChange }: { value: number | null; onChange: (budget: number | null) => void }) {
  return (
    <div>
      <Text size="xs" fw="var(--mantine-font-weight-medium, 600)" component="div" aria-hidden="true">
        {words.budget}
      </Text>
      <Slider
        thumbLabel={words.budget}
        thumbProps={{ 'aria-valuetext': words.budgetText(value) }}
        size="sm"
        my={6}
        label={null}
        min={0}
        max={BUDGETS.length - 1}
        step={1}
        value={BUDGETS.indexOf(value)}
        onChange={(step) => onChange(BUDGETS[step] ?? null)}
      />
      <Text size="xs" className="dim">
        <strong>{words.budgetText(value)}</strong>. {words.budgetHint}
      </Text>
    </div>
  );
}

function Recipients({
  value,
  onChange,
  error,
}: {
  value: readonly number[];
  onChange: (ids: number[]) => void;
  error: string | undefined;
}) {
  const me = useMe();
  const users = useQuery(usersQuery);
  const known = (users.data?.users ?? [me]).filter(({ state }) => state === 'active');
  return (
    <MultiSelect
      label={words.mailTo}
      placeholder={value.length === 0 ? words.mailToHint : undefined}
      size="xs"
      searchable
      data={known.map(({ id, name, email }) => ({ value: String(id), label: name || email }))}
      value={value.map(String)}
      onChange={(ids) => onChange(ids.map(Number))}
      error={error}
    />
  );
}
