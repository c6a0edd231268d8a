import { Modal, ScrollArea, Text, TextInput, UnstyledButton } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState, type KeyboardEvent } from 'react';
import { keepView } from '../lib/keep-view';
import { useAllHotkeys } from '../lib/hotkeys';
import { metricSearchQuery } from '../lib/metric-search';
import { PAGES } from './navigation';
import { texts } from './shell.texts';
import classes from './palette.module.css';

const showChosen = (element: HTMLButtonElement | null): void => element?.scrollIntoView({ block: 'nearest' });

interface Entry {
  id: string;
  group: string;
  label: string;
  hint?: string;
  run: () => void;
}

/** Finds metrics, pages and actions by a few letters. */
export default function Palette({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  return (
    <Modal
      opened={isOpen}
      onClose={onClose}
      withCloseButton={false}
      padding={8}
      size="lg"
      yOffset="12vh"
      aria-label={texts.search}
    >
      <Search onClose={onClose} />
    </Modal>
  );
}

function Search({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('');
  const [index, setIndex] = useState(0);
  const [sought] = useDebouncedValue(text.trim(), 120);
  const navigate = useNavigate();
  const hotkeys = useAllHotkeys();
  const metrics = useQuery(metricSearchQuery(sought));
  const isLike = (label: string): boolean => label.toLowerCase().includes(text.trim().toLowerCase());
  const entries: Entry[] = [
    ...PAGES.filter(({ label }) => isLike(label)).map(({ to, label, key }) => ({
      id: to,
      group: texts.searchPages,
      label,
      hint: `g ${key}`,
      run: () => void navigate({ to, search: keepView } as never),
    })),
    ...(sought === '' ? [] : (metrics.data?.metrics ?? [])).map(({ name }) => ({
      id: `metric ${name}`,
      group: texts.searchMetrics,
      label: name,
      run: () => void navigate({ to: '/metric/$metricName', params: { metricName: name }, search: keepView } as never),
    })),
    ...hotkeys
      .filter(({ keys, label }) => !keys.startsWith('g ') && keys !== '/' && isLike(label))
      .map(({ keys, label, run }) => ({ id: `key ${keys}`, group: texts.searchActions, label, hint: keys, run })),
  ];
  const chosen = Math.min(index, entries.length - 1);
  const take = (entry: Entry | undefined): void => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setIndex(Math.max(0, Math.min(entries.length - 1, chosen + step)));
    } else if (event.key === 'Enter') {
      event.preventDefault();
      take(entries[chosen]);
    }
  };
  return (
    <>
      <TextInput
        data-autofocus
        aria-label={texts.search}
        placeholder={texts.search}
        value={text}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setIndex(0);
        }}
        onKeyDown={onKeyDown}
        role="combobox"
        aria-expanded
        aria-controls="palette-list"
        aria-activedescendant={chosen >= 0 ? `palette-${String(chosen)}` : undefined}
      />
      <ScrollArea.Autosize mah="50vh" mt={8}>
        <div role="listbox" id="palette-list" aria-label={texts.search}>
          {entries.map((entry, i) => (
            <UnstyledButton
              key={entry.id}
              id={`palette-${String(i)}`}
              role="option"
              aria-selected={i === chosen}
              tabIndex={-1}
              className={classes.entry}
              data-chosen={i === chosen || undefined}
              onClick={() => take(entry)}
              ref={i === chosen ? showChosen : undefined}
            >
              <span className={classes.group}>{entry.group}</span>
              <bdi className={entry.group === texts.searchMetrics ? 'mono' : undefined}>{entry.label}</bdi>
              <span className={classes.hint}>{entry.hint}</span>
            </UnstyledButton>
          ))}
          {entries.length === 0 && (
            <Text size="sm" p="sm" className="dim">
              {texts.nothingFound}
            </Text>
          )}
        </div>
      </ScrollArea.Autosize>
    </>
  );
}
