import { Checkbox, Fieldset, PasswordInput, Select, SimpleGrid, Stack, Textarea, TextInput } from '@mantine/core';
import { ApiError } from '../../../lib/api';
import {
  API_FIELD,
  limitsOf,
  METRIC_TYPES,
  NUMBER_FIELDS,
  SOURCE_TYPES,
  type SourceDraft,
  type SourceField,
  type SourceSecrets,
} from '../source-form';
import { texts } from '../sources.texts';

interface SourceFieldsProps {
  draft: SourceDraft;
  secrets: SourceSecrets;
  onChange: (part: Partial<SourceDraft>) => void;
  onSecrets: (part: Partial<SourceSecrets>) => void;
  /** Invalid fields, after the user has tried to send the form. */
  lacks: ReadonlySet<SourceField>;
  error: unknown;
  hasPassword: boolean;
}

type TextField = Exclude<keyof SourceDraft, 'type' | 'metricType' | 'writeBack'>;

const LONGEST = { name: 100, url: 2000, query: 4000, username: 200, password: 4000, nameTemplate: 200, unit: 64 };
const isNumber = (field: SourceField): field is (typeof NUMBER_FIELDS)[number] =>
  (NUMBER_FIELDS as readonly SourceField[]).includes(field);

/** The problem of a field, found by the form or the API. */
function problemOf(field: SourceField, lacks: ReadonlySet<SourceField>, error: unknown): string | undefined {
  if (lacks.has(field)) {
    if (field === 'headers') return texts.badLines;
    return isNumber(field) ? texts.badNumber(limitsOf(field)) : texts.needed;
  }
  return error instanceof ApiError ? error.problemOf(API_FIELD[field]) : undefined;
}

/** The fields of a source, new or existing. */
export function SourceFields(props: SourceFieldsProps) {
  const { draft, secrets, onChange, onSecrets, lacks, error, hasPassword } = props;
  const { type } = draft;
  const text = (field: TextField, description?: string) => ({
    label: texts[field],
    description,
    autoComplete: 'off',
    spellCheck: false,
    ...(field in LONGEST ? { maxLength: LONGEST[field as keyof typeof LONGEST] } : {}),
    ...(isNumber(field) ? { inputMode: 'decimal' as const } : {}),
    value: draft[field],
    error: problemOf(field, lacks, error),
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange({ [field]: currentTarget.value }),
  });
  return (
    <Stack gap="sm">
      <Select
        label={texts.type}
        maw={320}
        allowDeselect={false}
        data={SOURCE_TYPES.map((value) => ({ value, label: texts.types[value] }))}
        value={type}
        error={problemOf('type', lacks, error)}
        onChange={(chosen) => onChange({ type: chosen! })}
      />
      <TextInput {...text('name', texts.nameHint)} maw={480} />
      <TextInput {...text('url', texts.urlHint[type])} placeholder={texts.urlExample[type]} inputMode="url" />
      <Textarea
        {...text('query', texts.queryHint[type])}
        placeholder={texts.queryExample[type]}
        autosize
        minRows={3}
        maxRows={12}
        classNames={{ input: 'mono' }}
      />
      <Fieldset legend={texts.login}>
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <TextInput {...text('username')} />
            <PasswordInput
              label={texts.password}
              autoComplete="new-password"
              maxLength={LONGEST.password}
              placeholder={hasPassword ? texts.keepPassword : undefined}
              value={secrets.password}
              error={problemOf('password', lacks, error)}
              visibilityToggleButtonProps={{ 'aria-label': texts.showPassword }}
              onChange={(event) => onSecrets({ password: event.currentTarget.value })}
            />
          </SimpleGrid>
          {type !== 'sql' && (
            <Textarea
              label={texts.headers}
              description={texts.headersHint}
              autosize
              minRows={1}
              maxRows={8}
              spellCheck={false}
              value={secrets.headers}
              error={problemOf('headers', lacks, error)}
              onChange={(event) => onSecrets({ headers: event.currentTarget.value })}
            />
          )}
        </Stack>
      </Fieldset>
      <Fieldset legend={texts.more}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput {...text('interval', texts.intervalHint)} />
          <TextInput {...text('lag', texts.lagHint)} />
          <TextInput {...text('backfillDays', texts.backfillDaysHint)} />
          <TextInput {...text('timeout')} />
          <TextInput {...text('maxSeries', texts.maxSeriesHint)} />
          <TextInput {...text('unit', texts.unitHint)} />
          <TextInput {...text('nameTemplate', texts.nameTemplateHint)} />
          <Select
            label={texts.metricType}
            allowDeselect={false}
            data={(['', ...METRIC_TYPES] as const).map((value) => ({ value, label: texts.metricTypes[value] }))}
            value={draft.metricType}
            error={problemOf('metricType', lacks, error)}
            onChange={(chosen) => onChange({ metricType: chosen! })}
          />
        </SimpleGrid>
        {type === 'promql' && (
          <Checkbox
            mt="sm"
            label={texts.writeBack}
            description={texts.writeBackHint}
            checked={draft.writeBack}
            error={problemOf('writeBack', lacks, error)}
            onChange={(event) => onChange({ writeBack: event.currentTarget.checked })}
          />
        )}
      </Fieldset>
    </Stack>
  );
}
