import { Combobox, Group, Pill, PillsInput, Text, useCombobox } from '@mantine/core';
import { useState } from 'react';
import { useChipCompletion } from '../../../lib/chip-completion';
import { countText } from '../../../lib/numbers';
import { texts } from '../metrics.texts';

/** Chips that must all match, with completion: each suggestion shows how many metrics it leaves. */
export function ChipSearch({ chips, onChange }: { chips: readonly string[]; onChange: (chips: string[]) => void }) {
  const [text, setText] = useState('');
  const combobox = useCombobox({ onDropdownClose: () => combobox.resetSelectedOption() });
  const suggestions = useChipCompletion(text, chips, combobox.dropdownOpened);
  const add = (chip: string): void => {
    const trimmed = chip.trim();
    setText('');
    combobox.resetSelectedOption();
    if (trimmed !== '' && !chips.includes(trimmed)) onChange([...chips, trimmed]);
  };
  const remove = (chip: string): void => onChange(chips.filter((kept) => kept !== chip));
  return (
    <Combobox store={combobox} onOptionSubmit={add} withinPortal>
      <Combobox.DropdownTarget>
        <PillsInput style={{ flex: '1 1 320px' }} onClick={() => combobox.openDropdown()}>
          <Pill.Group>
            {chips.map((chip) => (
              <Pill key={chip} withRemoveButton onRemove={() => remove(chip)} className="mono">
                <bdi>{chip}</bdi>
              </Pill>
            ))}
            <Combobox.EventsTarget>
              <PillsInput.Field
                aria-label={texts.search}
                placeholder={chips.length === 0 ? texts.searchHint : texts.addMore}
                value={text}
                onFocus={() => combobox.openDropdown()}
                onBlur={() => combobox.closeDropdown()}
                onChange={(event) => {
                  setText(event.currentTarget.value);
                  combobox.openDropdown();
                  combobox.resetSelectedOption();
                }}
                onKeyDown={(event) => {
                  if (event.key === 'Enter' && combobox.getSelectedOptionIndex() === -1 && text.trim() !== '') {
                    event.preventDefault();
                    add(text);
                  } else if (event.key === 'Backspace' && text === '' && chips.length > 0) {
                    event.preventDefault();
                    remove(chips.at(-1)!);
                  }
                }}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown hidden={suggestions.length === 0}>
        <Combobox.Options mah={320} style={{ overflowY: 'auto' }} aria-label={texts.search}>
          {suggestions.map(({ chip, metrics_count: count }) => (
            <Combobox.Option key={chip} value={chip}>
              <Group justify="space-between" wrap="nowrap" gap="sm">
                <span className="mono">
                  <bdi>{chip}</bdi>
                </span>
                <Text span size="xs" className="dim" role="img" aria-label={texts.chipCount(count)}>
                  {countText(count)}
                </Text>
              </Group>
            </Combobox.Option>
          ))}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}
