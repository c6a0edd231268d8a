import { Button, Checkbox, Group, SegmentedControl, Select, Stack, Text, TextInput, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useEffect, useRef, useState } from 'react';
import { ChipsField } from '../../../components/chips-field';
import { MetricLink } from '../../../components/metric-link';
import { Failed } from '../../../components/page-states';
import { ApiError, type Schema } from '../../../lib/api';
import { useMe } from '../../../lib/me';
import { useNow } from '../../../lib/now';
import { useZone } from '../../../lib/zone';
import { exclusionTestQuery, useAddExclusion, useChangeExclusion } from '../api/exclusions';
import {
  bodyOf,
  canBeTimed,
  changesOf,
  draftOf,
  EXCLUSION_TYPES,
  type ExclusionDraft,
  isSameSchedule,
  lackOf,
  newDraft,
  REPEATS,
  type Weekday,
  WEEKDAYS,
} from '../exclusion-form';
import { type Schedule, scheduleOf, scheduleOfBody } from '../exclusion-calendar';
import { texts } from '../exclusions.texts';
import { ExclusionCalendar } from './exclusion-calendar';

/** Maximum number of covered metrics whose names are shown. */
const MAX_NAMES = 20;
const DEBOUNCE_MS = 300;
const TYPES = EXCLUSION_TYPES.map((value) => ({ value, label: texts.types[value] }));
const CHOICES = REPEATS.map((value) => ({ value, label: texts.repeatsChoice[value] }));

type Exclusion = Schema<'ExclusionDto'>;

/** A new exclusion. */
export function NewExclusionForm({ chips }: { chips: readonly string[] }) {
  const zone = useZone();
  const now = useNow();
  const [initialDraft] = useState(() => newDraft(chips, now, zone));
  const save = useAddExclusion();
  return (
    <ExclusionForm
      title={texts.form}
      initialDraft={initialDraft}
      edited={null}
      saving={save}
      onSave={(draft, begin) => save.mutate(bodyOf(draft, zone), { onSuccess: () => begin(newDraft([], now, zone)) })}
    />
  );
}

/** Edits an existing exclusion. `onDone`: it was saved, or left unchanged. */
export function EditExclusionForm({ exclusion, onDone }: { exclusion: Exclusion; onDone: () => void }) {
  const zone = useZone();
  const now = useNow();
  const [initialDraft] = useState(() => draftOf(exclusion, now, zone));
  const save = useChangeExclusion(onDone);
  const submit = (draft: ExclusionDraft): void => {
    const body = changesOf(initialDraft, draft, zone);
    if (Object.keys(body).length === 0) onDone();
    else save.mutate({ before: exclusion, body });
  };
  return (
    <ExclusionForm
      title={texts.editForm}
      initialDraft={initialDraft}
      edited={exclusion}
      saving={save}
      onSave={submit}
      onCancel={onDone}
    />
  );
}

interface ExclusionFormProps {
  title: string;
  initialDraft: ExclusionDraft;
  edited: Exclusion | null;
  saving: { error: Error | null; isPending: boolean };
  /** `begin`: restarts with another draft. */
  onSave: (draft: ExclusionDraft, begin: (draft: ExclusionDraft) => void) => void;
  onCancel?: () => void;
}

/** The number of covered metrics is shown next to the button that saves it. */
function ExclusionForm({ title, initialDraft, edited, saving, onSave, onCancel }: ExclusionFormProps) {
  const zone = useZone();
  const orgZone = useMe().org.timezone;
  const heading = useRef<HTMLHeadingElement>(null);
  const [draft, setDraft] = useState(initialDraft);
  const [isTried, setTried] = useState(false);
  const change = (part: Partial<ExclusionDraft>): void => setDraft((current) => ({ ...current, ...part }));
  const before = edited === null ? null : initialDraft;
  const lack = lackOf(draft, zone, before);
  useEffect(() => {
    // The form is above the row whose button was pressed.
    if (edited !== null) heading.current?.focus();
  }, [edited]);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (lack !== null) return;
    onSave(draft, (next) => {
      setDraft(next);
      setTried(false);
    });
  };
  const problemOf = (field: string): string | undefined =>
    saving.error instanceof ApiError ? saving.error.problemOf(field) : undefined;
  const isTimed = canBeTimed(draft.type);
  const scheduleToDraw = (): Schedule | null => {
    if (!isTimed || lack === 'times' || lack === 'days') return null;
    return edited !== null && isSameSchedule(initialDraft, draft)
      ? scheduleOf(edited)
      : scheduleOfBody(bodyOf(draft, zone));
  };
  return (
    <form onSubmit={submit} noValidate aria-labelledby="exclusion-form">
      <Stack gap="xs" maw={760}>
        <Title order={2} id="exclusion-form" ref={heading} tabIndex={-1} style={{ outline: 'none' }}>
          {title}
        </Title>
        <ChipsField
          label={texts.chips}
          placeholder={texts.chipsHint}
          value={draft.chips}
          onChange={(next) => change({ chips: next })}
          error={(isTried && lack === 'chips' && texts.lacks.chips) || problemOf('chips')}
        />
        <Group gap="md" align="flex-end">
          <Select
            label={texts.type}
            size="xs"
            w={220}
            data={TYPES}
            value={draft.type}
            allowDeselect={false}
            onChange={(next) => change({ type: next! })}
          />
          {isTimed && (
            <SegmentedControl
              size="xs"
              aria-label={texts.repeats}
              data={CHOICES}
              value={draft.repeats}
              onChange={(next) => change({ repeats: next })}
            />
          )}
        </Group>
        <Text size="xs" className="dim">
          {texts.typeTexts[draft.type]}
        </Text>
        {isTimed && draft.repeats === 'once' && <OnceFields draft={draft} change={change} zone={zone} />}
        {isTimed && draft.repeats === 'weekly' && <WeeklyFields draft={draft} change={change} zone={orgZone} />}
        {isTried && (lack === 'times' || lack === 'days') && (
          <Text size="xs" c="var(--mantine-color-error)" role="alert">
            {texts.lacks[lack]}
          </Text>
        )}
        <TextInput
          label={texts.reason}
          placeholder={texts.reasonHint}
          size="xs"
          maxLength={255}
          value={draft.reason}
          error={problemOf('reason')}
          onChange={(event) => change({ reason: event.currentTarget.value })}
        />
        {saving.error && problemOf('chips') === undefined && <Failed error={saving.error} />}
        <Coverage draft={draft} />
        <Group gap="sm">
          <Button type="submit" loading={saving.isPending}>
            {texts.save}
          </Button>
          {onCancel && (
            <Button variant="default" onClick={onCancel}>
              {texts.cancel}
            </Button>
          )}
        </Group>
        <ExclusionCalendar draft={scheduleToDraw()} {...(edited && { instead: edited.id })} />
      </Stack>
    </form>
  );
}

interface FieldsProps {
  draft: ExclusionDraft;
  change: (part: Partial<ExclusionDraft>) => void;
  zone: string;
}

function OnceFields({ draft, change, zone }: FieldsProps) {
  return (
    <Group gap="sm" align="flex-end">
      <TimeField type="datetime-local" label={texts.from} value={draft.from} onChange={(from) => change({ from })} />
      <TimeField
        type="datetime-local"
        label={texts.until}
        value={draft.until}
        onChange={(until) => change({ until })}
      />
      <Zone zone={zone} />
    </Group>
  );
}

function WeeklyFields({ draft, change, zone }: FieldsProps) {
  return (
    <Group gap="sm" align="flex-end">
      <Checkbox.Group
        label={texts.days}
        size="xs"
        value={[...draft.days]}
        onChange={(days) => change({ days: WEEKDAYS.filter((day: Weekday) => days.includes(day)) })}
      >
        <Group gap={10} mt={4}>
          {WEEKDAYS.map((day) => (
            <Checkbox key={day} size="xs" value={day} label={texts.dayNames[day]} />
          ))}
        </Group>
      </Checkbox.Group>
      <TimeField type="time" label={texts.from} value={draft.start} onChange={(start) => change({ start })} />
      <TimeField type="time" label={texts.until} value={draft.end} onChange={(end) => change({ end })} />
      <Zone zone={zone} />
    </Group>
  );
}

function TimeField({
  type,
  label,
  value,
  onChange,
}: {
  type: 'datetime-local' | 'time';
  label: string;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <TextInput
      type={type}
      label={label}
      size="xs"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

function Zone({ zone }: { zone: string }) {
  return (
    <Text size="xs" className="dim" pb={6}>
      {texts.zone(zone)}
    </Text>
  );
}

/** The metrics that it would cover, and their recent points. */
function Coverage({ draft }: { draft: ExclusionDraft }) {
  const [chips] = useDebouncedValue(draft.chips, DEBOUNCE_MS);
  const test = useQuery(exclusionTestQuery(chips, draft.type));
  if (chips.length === 0 || draft.chips.length === 0) return null;
  const { data, error } = test;
  return (
    <div>
      <Text size="xs" className="dim" role="status">
        {error ? (error instanceof ApiError ? (error.problemOf('chips') ?? error.message) : error.message) : ''}
        {!error && data?.count === 0 && texts.coversNone}
        {!error &&
          data &&
          data.count > 0 &&
          `${texts.covers(data.count)} ${texts.lastWeek(data.anomalies_last_7_days, data.alerts_last_7_days)}`}
      </Text>
      {!error && data && data.count > 0 && (
        <details>
          <Text size="xs" component="summary" className="dim">
            {texts.which}
          </Text>
          {data.metrics.slice(0, MAX_NAMES).map((metric) => (
            <div key={metric}>
              <MetricLink metric={metric} />
            </div>
          ))}
          {data.count > MAX_NAMES && (
            <Text size="xs" className="dim">
              {texts.more(data.count - MAX_NAMES)}
            </Text>
          )}
        </details>
      )}
    </div>
  );
}
