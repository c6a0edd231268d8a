import { Button, Group, NumberInput, SegmentedControl, Select, Slider, Stack, Text, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, type SubmitEvent, useState } from 'react';
import { ChipsField } from '../../../components/chips-field';
import { texts as shared } from '../../../components/components.texts';
import { Failed } from '../../../components/page-states';
import { ApiError } from '../../../lib/api';
import { type KeptDraft } from '../../../lib/draft';
import { useMayWrite } from '../../../lib/me';
import { replayQuery } from '../api/watcher-editor';
import {
  ALGORITHMS,
  budgetChoices,
  DIRECTIONS,
  FUNCTIONS,
  type Lack,
  lackOf,
  type ThresholdDraft,
  type WatcherDraft,
  WATCHER_TYPES,
} from '../watcher-draft';
import classes from '../watcher-editor.module.css';
import { texts } from '../watcher-editor.texts';
import { Channels } from './channels';
import { REPLAY_DEBOUNCE_MS, WatcherReplay } from './watcher-replay';

type Change = (part: Partial<WatcherDraft>) => void;

interface FieldsProps {
  draft: WatcherDraft;
  change: Change;
  /** The server's error for a field. */
  problemOf: (field: string) => string | undefined;
  /** The missing input, after the user has tried to save. */
  lack: Lack | null;
}

/** The editor of a watcher: what, when, whom; with a preview of the messages that it would have sent. */
export function WatcherForm({
  kept,
  isNew,
  save,
  onSave,
  onAgain,
  children,
}: {
  kept: KeptDraft<WatcherDraft>;
  isNew: boolean;
  save: { error: Error | null; isPending: boolean };
  onSave: (draft: WatcherDraft) => void;
  /** Discards the input. */
  onAgain: () => void;
  /** Shown next to the button that saves. */
  children?: ReactNode;
}) {
  const mayWrite = useMayWrite();
  const [isTried, setTried] = useState(false);
  const draft = kept.value;
  const change: Change = (part) => kept.change((current) => ({ ...current, ...part }));
  const lack = lackOf(draft);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (lack === null) onSave(draft);
  };
  const problemOf = (field: string): string | undefined =>
    save.error instanceof ApiError ? save.error.problemOf(field) : undefined;
  const fields: FieldsProps = { draft, change, problemOf, lack: isTried ? lack : null };
  const startAgain = (): void => {
    kept.forget();
    setTried(false);
    onAgain();
  };
  return (
    <div className={classes.columns}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm">
          {kept.isTakenUp && (
            <Text size="sm" className="dim" role="status">
              {texts.takenUp}{' '}
              <Button variant="default" size="compact-xs" onClick={startAgain}>
                {texts.startAgain}
              </Button>
            </Text>
          )}
          {isNew ? (
            <SegmentedControl
              size="xs"
              aria-label={texts.type}
              data={WATCHER_TYPES.map((value) => ({ value, label: texts.types[value] }))}
              value={draft.type}
              onChange={(type) => change({ type })}
            />
          ) : (
            <Text size="sm" className="dim">
              {texts.typeStays[draft.type]}
            </Text>
          )}
          <ChipsField
            label={texts.chips}
            placeholder={texts.chipsHint}
            value={draft.chips}
            onChange={(chips) => change({ chips })}
            error={(fields.lack === 'chips' && texts.lacks.chips) || problemOf('chips')}
          />
          {draft.type === 'anomaly' ? <AnomalyFields {...fields} /> : <LimitFields {...fields} />}
          <NumberInput
            label={texts.repeat}
            size="xs"
            w={260}
            min={1}
            max={43_200}
            allowDecimal={false}
            clampBehavior="blur"
            value={draft.repeatMinutes}
            onChange={(value) => change({ repeatMinutes: typeof value === 'number' ? value : 60 })}
            error={problemOf('expiration_seconds')}
          />
          <Channels draft={draft} change={change} problemOf={problemOf} />
          <TextInput
            label={texts.name}
            placeholder={texts.nameHint}
            size="xs"
            maxLength={100}
            value={draft.name}
            error={problemOf('name')}
            onChange={(event) => change({ name: event.currentTarget.value })}
          />
          {fields.lack !== null && (
            <Text size="xs" c="var(--mantine-color-error)" role="alert">
              {texts.lacks[fields.lack]}
            </Text>
          )}
          {save.error && problemOf('chips') === undefined && <Failed error={save.error} />}
          {mayWrite ? (
            <Group gap="sm">
              <Button type="submit" loading={save.isPending}>
                {texts.save}
              </Button>
              {children}
            </Group>
          ) : (
            <Text size="sm" className="dim">
              {shared.demoReads}
            </Text>
          )}
        </Stack>
      </form>
      <WatcherReplay
        draft={draft}
        onLine={(key, value) => change({ threshold: { ...draft.threshold, [key]: value } })}
      />
    </div>
  );
}

const SEVERITIES = ['0', '25', '50', '75'];

function AnomalyFields({ draft, change, problemOf }: FieldsProps) {
  const severity = String(draft.minSeverity);
  const choices = SEVERITIES.includes(severity) ? SEVERITIES : [...SEVERITIES, severity];
  return (
    <>
      <Budget draft={draft} onChange={(budget) => change({ budget })} />
      <Group gap="sm" align="flex-end">
        <Select
          label={texts.severity}
          size="xs"
          w={180}
          data={choices.map((value) => ({
            value,
            label: texts.severities[value] ?? texts.severityOf(Number(value)),
          }))}
          value={severity}
          allowDeselect={false}
          onChange={(next) => change({ minSeverity: Number(next) })}
        />
        <Select
          label={texts.direction}
          size="xs"
          w={140}
          data={DIRECTIONS.map((value) => ({ value, label: texts.directions[value] }))}
          value={draft.direction}
          allowDeselect={false}
          onChange={(next) => change({ direction: DIRECTIONS.find((one) => one === next) ?? 'both' })}
        />
        <NumberInput
          label={texts.minDuration}
          size="xs"
          w={190}
          min={0}
          max={1440}
          clampBehavior="blur"
          value={draft.minDurationMinutes}
          onChange={(value) => change({ minDurationMinutes: typeof value === 'number' ? value : 0 })}
          error={problemOf('min_duration_seconds')}
        />
      </Group>
    </>
  );
}

function Budget({ draft, onChange }: { draft: WatcherDraft; onChange: (budget: number | null) => void }) {
  const value = draft.budget;
  const choices = budgetChoices(value);
  const [tried] = useDebouncedValue(draft, REPLAY_DEBOUNCE_MS);
  const { data } = useQuery(replayQuery(tried));
  return (
    <div>
      <Text size="xs" fw="var(--mantine-font-weight-medium, 600)" component="div" aria-hidden="true">
        {texts.budget}
      </Text>
      <Slider
        thumbLabel={texts.budget}
        thumbProps={{ 'aria-valuetext': texts.budgetText(value) }}
        size="sm"
        my={6}
        label={null}
        min={0}
        max={choices.length - 1}
        step={1}
        value={choices.indexOf(value)}
        onChange={(step) => onChange(choices[step] ?? null)}
      />
      <Text size="xs" className="dim">
        <strong>{texts.budgetText(value)}</strong>. {texts.budgetHint}{' '}
        {data?.budget && value !== null && texts.budgetMeans(data.budget.severity_in_effect)}
      </Text>
    </div>
  );
}

const asNumber = (value: number | string): number | null => (typeof value === 'number' ? value : null);
const SHORT = { size: 'xs', w: 150 } as const;

function LimitFields({ draft: { threshold }, change, problemOf, lack }: FieldsProps) {
  const set = (part: Partial<ThresholdDraft>): void => change({ threshold: { ...threshold, ...part } });
  const { algorithm, fn } = threshold;
  const hasLimit = algorithm === 'above' || algorithm === 'below' || algorithm === 'outside';
  return (
    <>
      <Select
        label={texts.algorithm}
        size="xs"
        data={ALGORITHMS.map((value) => ({ value, label: texts.algorithms[value] }))}
        value={algorithm}
        allowDeselect={false}
        onChange={(next) => set({ algorithm: ALGORITHMS.find((one) => one === next) ?? 'above' })}
      />
      <Group gap="sm" align="flex-start">
        {hasLimit && (
          <NumberInput
            {...SHORT}
            label={algorithm === 'outside' ? texts.lower : texts.value}
            value={threshold.value ?? ''}
            onChange={(value) => set({ value: asNumber(value) })}
            error={lack === 'value' || problemOf('value')}
          />
        )}
        {algorithm === 'outside' && (
          <NumberInput
            {...SHORT}
            label={texts.upper}
            value={threshold.upper ?? ''}
            onChange={(value) => set({ upper: asNumber(value) })}
            error={lack === 'upper' || problemOf('value_upper')}
          />
        )}
        {algorithm === 'no_data' && (
          <NumberInput
            {...SHORT}
            label={texts.silence}
            min={1}
            value={threshold.silenceMinutes ?? ''}
            onChange={(value) => set({ silenceMinutes: asNumber(value) })}
            error={lack === 'silence' || problemOf('value')}
          />
        )}
        {algorithm === 'drop_off' && (
          <>
            <NumberInput
              {...SHORT}
              w={220}
              label={texts.dropPercent}
              min={50}
              max={100}
              clampBehavior="blur"
              value={threshold.dropPercent}
              onChange={(value) => set({ dropPercent: asNumber(value) ?? 90 })}
              error={problemOf('drop_percent')}
            />
            <NumberInput
              {...SHORT}
              w={220}
              label={texts.minimumAvg}
              value={threshold.minimumAvg ?? ''}
              onChange={(value) => set({ minimumAvg: asNumber(value) })}
              error={lack === 'minimumAvg' || problemOf('minimum_avg')}
            />
          </>
        )}
        <NumberInput
          {...SHORT}
          label={texts.timesInARow}
          min={1}
          max={60}
          allowDecimal={false}
          clampBehavior="blur"
          value={threshold.timesInARow}
          onChange={(value) => set({ timesInARow: asNumber(value) ?? 1 })}
          error={problemOf('times_in_a_row')}
        />
        {hasLimit && (
          <Select
            {...SHORT}
            label={texts.fn}
            data={FUNCTIONS.map((value) => ({ value, label: texts.fns[value] }))}
            value={fn}
            allowDeselect={false}
            onChange={(next) => set({ fn: FUNCTIONS.find((one) => one === next) ?? 'none' })}
          />
        )}
        {hasLimit && fn !== 'none' && (
          <NumberInput
            {...SHORT}
            label={texts.fnMinutes}
            min={1}
            max={1440}
            clampBehavior="blur"
            value={threshold.fnMinutes ?? ''}
            onChange={(value) => set({ fnMinutes: asNumber(value) })}
            error={lack === 'fnMinutes' || problemOf('function_seconds')}
          />
        )}
      </Group>
    </>
  );
}
