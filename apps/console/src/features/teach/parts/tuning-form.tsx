import {
  Checkbox,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Slider,
  Stack,
  TagsInput,
  Text,
  TextInput,
} from '@mantine/core';
import { type ReactNode } from 'react';
import { ANOMALY_KINDS } from '#libs/contracts';
import { ApiError } from '../../../lib/api';
import { KIND_TEXT } from '../../../lib/kinds';
import { durationText } from '../../../lib/time';
import { BUDGETS, MIN_DURATIONS, nearestStep, SENSITIVITIES, type TuningFields } from '../tuning-fields';
import { texts } from '../teach.texts';
import classes from '../teach.module.css';

const PERIODS = { auto: null, none: 0, day: 86_400, week: 604_800 } as const;

/** All settings of a tuning. `error` is the server's answer about them. */
export function TuningForm({
  fields,
  onChange,
  error,
  isReadOnly,
}: {
  fields: TuningFields;
  onChange: (change: Partial<TuningFields>) => void;
  error: unknown;
  isReadOnly: boolean;
}) {
  const problemOf = (field: keyof TuningFields): string | undefined =>
    error instanceof ApiError ? error.problemOf(field) : undefined;
  const period = Object.entries(PERIODS).find(([, seconds]) => seconds === fields.period_seconds)?.[0] ?? null;
  return (
    <Stack gap="sm">
      <TextInput
        label={texts.name}
        maxLength={100}
        value={fields.name}
        error={problemOf('name')}
        readOnly={isReadOnly}
        onChange={(event) => onChange({ name: event.currentTarget.value })}
      />
      <TagsInput
        label={texts.chips}
        description={texts.chipsHint}
        descriptionProps={{ fz: 'xs' }}
        size="sm"
        classNames={{ pill: 'mono' }}
        splitChars={[]}
        value={fields.chips}
        error={problemOf('chips')}
        readOnly={isReadOnly}
        onChange={(chips) => onChange({ chips })}
      />
      <StepSlider
        label={texts.sensitivity}
        steps={SENSITIVITIES}
        value={fields.sensitivity}
        textOf={(value) => texts.sensitivityText(value ?? 1)}
        isReadOnly={isReadOnly}
        onChange={(value) => onChange({ sensitivity: value ?? 1 })}
      />
      <StepSlider
        label={texts.minDuration}
        steps={MIN_DURATIONS}
        value={fields.min_duration_seconds}
        textOf={(value) => texts.minDurationText(durationText(value ?? 0))}
        isReadOnly={isReadOnly}
        onChange={(value) => onChange({ min_duration_seconds: value ?? 0 })}
      />
      <StepSlider
        label={texts.budget}
        steps={BUDGETS}
        value={fields.false_alarms_per_month}
        textOf={texts.budgetText}
        isReadOnly={isReadOnly}
        onChange={(value) => onChange({ false_alarms_per_month: value })}
      />
      <Labelled label={texts.direction}>
        <SegmentedControl
          size="xs"
          aria-label={texts.direction}
          value={fields.direction}
          readOnly={isReadOnly}
          onChange={(value) => onChange({ direction: value })}
          data={(['both', 'up', 'down'] as const).map((value) => ({ value, label: texts.directions[value] }))}
        />
      </Labelled>
      <NumberInput
        label={texts.minimumSize}
        description={texts.minimumSizeHint}
        descriptionProps={{ fz: 'xs' }}
        size="sm"
        min={0}
        value={fields.minimum_size ?? ''}
        error={problemOf('minimum_size')}
        readOnly={isReadOnly}
        onChange={(value) => onChange({ minimum_size: typeof value === 'number' ? value : null })}
      />
      <Select
        label={texts.period}
        value={period}
        placeholder={period === null ? durationText(fields.period_seconds ?? 0) : undefined}
        allowDeselect={false}
        readOnly={isReadOnly}
        error={problemOf('period_seconds')}
        data={(Object.keys(PERIODS) as (keyof typeof PERIODS)[]).map((value) => ({
          value,
          label: texts.periods[value],
        }))}
        onChange={(value) => onChange({ period_seconds: PERIODS[value as keyof typeof PERIODS] })}
      />
      <Checkbox.Group
        label={texts.kinds}
        size="xs"
        value={fields.kinds}
        error={fields.kinds.length === 0 ? texts.kindsLeastOne : problemOf('kinds')}
        readOnly={isReadOnly}
        onChange={(values) => {
          const kinds = ANOMALY_KINDS.filter((kind) => values.includes(kind));
          if (kinds.length > 0) onChange({ kinds });
        }}
      >
        <Group gap={12} mt={4}>
          {ANOMALY_KINDS.map((kind) => (
            <Checkbox key={kind} size="xs" value={kind} label={KIND_TEXT[kind]} />
          ))}
        </Group>
      </Checkbox.Group>
    </Stack>
  );
}

function Labelled({ label, text, children }: { label: string; text?: string; children: ReactNode }) {
  return (
    <div className={classes.field}>
      <div className={classes.fieldHead}>
        <Text size="sm" fw={500}>
          {label}
        </Text>
        {text !== undefined && (
          <Text size="sm" className="dim">
            {text}
          </Text>
        )}
      </div>
      {children}
    </div>
  );
}

/** A slider with the positions `steps`; the meaning of the value is next to its label. */
function StepSlider({
  label,
  steps,
  value,
  textOf,
  isReadOnly,
  onChange,
}: {
  label: string;
  steps: readonly (number | null)[];
  value: number | null;
  textOf: (value: number | null) => string;
  isReadOnly: boolean;
  onChange: (value: number | null) => void;
}) {
  return (
    <Labelled label={label} text={textOf(value)}>
      <Slider
        thumbLabel={label}
        thumbProps={{ 'aria-valuetext': textOf(value) }}
        size="sm"
        label={null}
        min={0}
        max={steps.length - 1}
        step={1}
        disabled={isReadOnly}
        value={nearestStep(steps, value)}
        onChange={(place) => onChange(steps[place] ?? null)}
      />
    </Labelled>
  );
}
