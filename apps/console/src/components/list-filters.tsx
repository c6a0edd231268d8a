import { Select, TextInput } from '@mantine/core';
import { type SetSearch } from '../lib/set-search';
import { texts } from './components.texts';

interface Filter<Search> {
  /** Parameter in the address. */
  name: keyof Search & string;
  label: string;
  /** Names of the values. The first one means no filter, and is not written to the address. */
  choices: Readonly<Record<string, string>>;
  /** Pixels. */
  w?: number;
}

interface FilterSelectsProps<Search> {
  search: Search;
  filters: readonly Filter<Search>[];
  onChange: SetSearch<Search>;
}

/** Filters of a list, each with a few values to select from. */
export function FilterSelects<Search extends object>({ search, filters, onChange }: FilterSelectsProps<Search>) {
  return filters.map(({ name, label, choices, w = 150 }) => {
    const [none = ''] = Object.keys(choices);
    return (
      <Select
        key={name}
        size="xs"
        w={w}
        aria-label={label}
        allowDeselect={false}
        data={Object.entries(choices).map(([value, text]) => ({ value, label: text }))}
        value={(search[name] as string | undefined) ?? none}
        onChange={(value) => onChange({ [name]: value === none ? undefined : value } as Search)}
      />
    );
  });
}

/** The metric that a list is about, by its whole name; accepted with Enter, or when the field loses the focus. */
export function MetricFilter({
  metric = '',
  onChange,
}: {
  metric: string | undefined;
  onChange: (metric: string | undefined) => void;
}) {
  return (
    <TextInput
      key={metric}
      size="xs"
      w={220}
      aria-label={texts.metric}
      placeholder={texts.metricHint}
      defaultValue={metric}
      onBlur={({ currentTarget: { value } }) => {
        if (value.trim() !== metric) onChange(value.trim() || undefined);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter') event.currentTarget.blur();
      }}
    />
  );
}
