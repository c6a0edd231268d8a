import { Button, Checkbox, FileButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import copied from '../../../components/lines/copy-lines.module.css';
import { Failed } from '../../../components/page-states';
import { type Schema } from '../../../lib/api';
import { useApply, useCheck } from '../api/configuration';
import { texts } from '../configuration.texts';
import { Section } from './section';

const LONGEST_DOCUMENT = 500_000;
const MAX_BYTES = 4 * LONGEST_DOCUMENT;

/** A document to apply; its changes are shown first. */
export function ApplyPart() {
  // Not stored in the tab's storage, because a document may contain secrets.
  const [document, setText] = useState('');
  const [prune, setPrune] = useState(false);
  const check = useCheck();
  const apply = useApply(() => {
    check.reset();
    setText('');
  });
  const isTooLong = document.length > LONGEST_DOCUMENT;
  // Only the checked text is applied: any other text must be checked again.
  const change = (act: () => void): void => {
    check.reset();
    apply.reset();
    act();
  };
  const take = (file: File | null): void => {
    if (file === null) return;
    if (file.size > MAX_BYTES) change(() => setText(' '.repeat(LONGEST_DOCUMENT + 1)));
    else void file.text().then((text) => change(() => setText(text)));
  };
  const changes = check.data?.changes;
  const wanted = changes?.filter(({ action }) => action !== 'unchanged') ?? [];
  const error = apply.error ?? check.error;
  return (
    <Section title={texts.apply} text={texts.applyText}>
      <Textarea
        label={texts.field}
        autosize
        minRows={6}
        maxRows={20}
        spellCheck={false}
        classNames={{ input: 'mono' }}
        value={document}
        error={isTooLong && texts.tooLong}
        onChange={({ currentTarget: { value } }) => change(() => setText(value))}
      />
      <Checkbox
        size="xs"
        label={texts.prune}
        description={texts.pruneHint}
        checked={prune}
        onChange={({ currentTarget: { checked } }) => change(() => setPrune(checked))}
      />
      <Group gap="sm">
        <FileButton accept=".yaml,.yml,.json" onChange={take}>
          {(props) => (
            <Button variant="default" {...props}>
              {texts.choose}
            </Button>
          )}
        </FileButton>
        <Button
          variant="default"
          disabled={document.trim() === '' || isTooLong}
          loading={check.isPending}
          onClick={() => check.mutate({ document, prune })}
        >
          {texts.check}
        </Button>
      </Group>
      {error && <Failed error={error} />}
      {changes && (
        <Stack gap="xs">
          <Changes changes={wanted} unchanged={changes.length - wanted.length} />
          {wanted.length > 0 && (
            <Group>
              <Button loading={apply.isPending} onClick={() => apply.mutate({ document, prune })}>
                {texts.applyNow(wanted.length)}
              </Button>
            </Group>
          )}
        </Stack>
      )}
    </Section>
  );
}

interface ChangesProps {
  changes: readonly Schema<'ConfigChangeDto'>[];
  unchanged: number;
}

function Changes({ changes, unchanged }: ChangesProps) {
  return (
    <Stack gap="xs" role="status" aria-label={texts.changes}>
      {changes.length === 0 && <Text size="sm">{texts.nothing}</Text>}
      {changes.map(({ kind, name, action, diff }) => (
        <div key={`${kind} ${name}`}>
          <Text size="sm">
            <strong>{texts.actions[action]}</strong> {kind} <bdi>{name}</bdi>
          </Text>
          {diff !== '' && (
            <pre className={copied.lines} tabIndex={0} aria-label={`${kind} ${name}`} role="region">
              {diff}
            </pre>
          )}
        </div>
      ))}
      {unchanged > 0 && (
        <Text size="sm" className="dim">
          {texts.unchanged(unchanged)}
        </Text>
      )}
    </Stack>
  );
}
