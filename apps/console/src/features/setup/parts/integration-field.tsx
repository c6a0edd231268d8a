import { Checkbox, MultiSelect, PasswordInput, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { ChannelField } from '../../../components/channel-field';
import { type Schema } from '../../../lib/api';
import { texts as account } from '../account.texts';
import { type FieldDraft, type IntegrationLack, placeholderOf } from '../integration-form';
import { texts } from '../integrations.texts';

interface IntegrationFieldProps {
  field: Schema<'ConfigFieldDto'>;
  draft: FieldDraft;
  onChange: (draft: FieldDraft) => void;
  lack: IntegrationLack | null;
  /** The problem of the field, as reported by the API. */
  problem: string | undefined;
}

const LACKS: Readonly<Record<IntegrationLack, string>> = { lines: texts.badLines, number: texts.badNumber };
/** The setting that is a channel of the chat. */
const CHANNEL = 'default_chat_channel';
const NO_VALUES: readonly string[] = [];

/** A setting as the API describes it. */
export function IntegrationField({ field, draft, onChange, lack, problem }: IntegrationFieldProps) {
  const { key, type, label, help, options, required: isRequired, source, value } = field;
  const hints = [
    help,
    ...(isRequired ? [texts.required] : []),
    ...(source === 'instance' ? [texts.fromInstance] : []),
    ...(type === 'object' ? [texts.lines] : []),
  ];
  const common = {
    label,
    description: hints.join(' '),
    error: problem ?? (lack === null ? undefined : LACKS[lack]),
  };
  const text = typeof draft === 'string' ? draft : '';
  const chosen = Array.isArray(draft) ? (draft as readonly string[]) : NO_VALUES;
  switch (type) {
    case 'bool':
      return (
        <Checkbox
          size="xs"
          {...common}
          checked={draft === true}
          onChange={(event) => onChange(event.currentTarget.checked)}
        />
      );
    case 'select':
      return (
        <Select
          {...common}
          allowDeselect={false}
          data={options}
          value={text}
          onChange={(option) => onChange(option ?? '')}
        />
      );
    case 'list':
      return options.length > 0 ? (
        <MultiSelect {...common} data={options} value={[...chosen]} onChange={onChange} />
      ) : (
        <TagsInput {...common} value={[...chosen]} onChange={onChange} />
      );
    case 'object':
      return (
        <Textarea
          {...common}
          autosize
          minRows={2}
          maxRows={10}
          spellCheck={false}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    case 'secret':
      return (
        <PasswordInput
          {...common}
          autoComplete="new-password"
          placeholder={typeof value === 'string' && value !== '' ? texts.keepSecret(value) : undefined}
          value={text}
          visibilityToggleButtonProps={{ 'aria-label': account.showPassword }}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
    default:
      if (key === CHANNEL) return <ChannelField {...common} maxLength={100} value={text} onChange={onChange} />;
      return (
        <TextInput
          {...common}
          autoComplete="off"
          spellCheck={false}
          inputMode={type === 'int' ? 'numeric' : type === 'url' ? 'url' : 'text'}
          placeholder={placeholderOf(field)}
          value={text}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      );
  }
}
