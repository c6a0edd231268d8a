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
import { words } from '../sources.words';

interface SourceFieldsProps {
  draft: SourceDraft;
  secrets: SourceSecrets;
  onChange: (part: Partial<SourceDraft>) => void;
  onSecrets: (part: Partial<SourceSecrets>) => void;
  /** What cannot be sent, once somebody has tried to. */
  lacks: ReadonlySet<SourceField>;
  error: unknown;
  hasPassword: boolean;
}

type TextField = Exclude<keyof SourceDraft, 'type' | 'metricType' | 'writeBack'>;

const LONGEST = { name: 100, url: 2000, query: 4000, username: 200, password: 4000, nameTemplate: 200, unit: 64 };
const isNumber = (field: SourceField): field is (typeof NUMBER_FIELDS)[number] =>
  (NUMBER_FIELDS as readonly SourceField[]).includes(field);

/** What is wrong with a field: what the form sees, or the API. */
function problemOf(field: SourceField, lacks: ReadonlySet<SourceField>, error: unknown): string | undefined {
  if (lacks.has(field)) {
    if (field === 'headers') return words.badLines;
    return isNumber(field) ? words.badNumber(limitsOf(field)) : words.needed;
  }
  return error instanceof ApiError ? error.problemOf(API_FIELD[field]) : undefined;
}

/** The fields of a source, of a new one and of one that exists. */
export function SourceFields(props: SourceFieldsProps) {
  const { draft, secrets, onChange, onSecrets, lacks, error, hasPassword } = props;
  const { type } = draft;
  const text = (field: TextField, description?: string) => ({
    label: words[field],
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
        label={words.type}
        maw={320}
        allowDeselect={false}
        data={SOURCE_TYPES.map((value) => ({ value, label: words.types[value] }))}
        value={type}
        error={problemOf('type', lacks, error)}
        onChange={(chosen) => onChange({ type: chosen! })}
      />
      <TextInput {...text('name', words.nameHint)} maw={480} />
      <TextInput {...text('url', words.urlHint[type])} placeholder={words.urlExample[type]} inputMode="url" />
      <Textarea
        {...text('query', words.queryHint[type])}
        placeholder={words.queryExample[type]}
        autosize
        minRows={3}
        maxRows={12}
        classNames={{ input: 'mono' }}
      />
      <Fieldset legend={words.login}>
        <Stack gap="sm">
          <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
            <TextInput {...text('username')} />
            <PasswordInput
              label={words.password}
              autoComplete="new-password"
              maxLength={LONGEST.password}
              placeholder={hasPassword ? words.keepPassword : undefined}
              value={secrets.password}
              error={problemOf('password', lacks, error)}
              visibilityToggleButtonProps={{ 'aria-label': words.showPassword }}
              onChange={(event) => onSecrets({ password: event.currentTarget.value })}
            />
          </SimpleGrid>
          {type !== 'sql' && (
            <Textarea
              label={words.headers}
              description={words.headersHint}
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
      <Fieldset legend={words.more}>
        <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="sm">
          <TextInput {...text('interval', words.intervalHint)} />
          <TextInput {...text('lag', words.lagHint)} />
          <TextInput {...text('backfillDays', words.backfillDaysHint)} />
          <TextInput {...text('timeout')} />
          <TextInput {...text('maxSeries', words.maxSeriesHint)} />
          <TextInput {...text('unit', words.unitHint)} />
          <TextInput {...text('nameTemplate', words.nameTemplateHint)} />
          <Select
            label={words.metricType}
            allowDeselect={false}
            data={(['', ...METRIC_TYPES] as const).map((value) => ({ value, label: words.metricTypes[value] }))}
            value={draft.metricType}
            error={problemOf('metricType', lacks, error)}
            onChange={(chosen) => onChange({ metricType: chosen! })}
          />
        </SimpleGrid>
        {type === 'promql' && (
          <Checkbox
            mt="sm"
            label={words.writeBack}
            description={words.writeBackHint}
            checked={draft.writeBack}
            error={problemOf('writeBack', lacks, error)}
            onChange={(event) => onChange({ writeBack: event.currentTarget.checked })}
          />
        )}
      </Fieldset>
    </Stack>
  );
}
