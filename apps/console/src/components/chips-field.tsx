import { TagsInput } from '@mantine/core';
import { useState } from 'react';
import { useChipCompletion } from '../lib/chip-completion';
import { countText } from '../lib/numbers';
import { texts } from './components.texts';

/** Chips that must all match, with completion: each suggestion shows how many metrics it would leave. */
export function ChipsField({
  value,
  onChange,
  label,
  placeholder = texts.chipsHint,
  error,
}: {
  value: readonly string[];
  onChange: (chips: string[]) => void;
  /** Shown above the field; if omitted, the field has a name for screen readers only. */
  label?: string;
  placeholder?: string;
  error?: string | false;
}) {
  const [text, setText] = useState('');
  const [isFocused, setFocused] = useState(false);
  const completions = useChipCompletion(text, value, isFocused);
  const counts = new Map(completions.map(({ chip, metrics_count }) => [chip, metrics_count]));
  return (
    <TagsInput
      label={label}
      aria-label={label === undefined ? texts.chips : undefined}
      error={error}
      placeholder={value.length === 0 ? placeholder : undefined}
      size="xs"
      miw={220}
      maw={460}
      maxDropdownHeight={180}
      value={[...value]}
      onChange={onChange}
      searchValue={text}
      onSearchChange={setText}
      onFocus={() => setFocused(true)}
      onBlur={() => setFocused(false)}
      data={[...counts.keys()]}
      filter={({ options }) => options}
      renderOption={({ option }) => (
        <span style={{ display: 'flex', justifyContent: 'space-between', gap: 12, width: '100%' }}>
          <bdi className="mono">{option.value}</bdi>
          <span className="dim">{countText(counts.get(option.value) ?? 0)}</span>
        </span>
      )}
    />
  );
}
