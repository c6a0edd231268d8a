import { Anchor, Button, Checkbox, Group, Text, TextInput, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { Failed } from '../../../components/page-states';
import { ApiError, type Schema } from '../../../lib/api';
import { useDraft, useHasDraft } from '../../../lib/draft';
import { keepView } from '../../../lib/keep-view';
import { offerUndo } from '../../../lib/undo';
import { changePattern, reloadPatterns } from '../api/patterns';
import { descendantsOf } from '../pattern-family';
import { texts } from '../teach.texts';
import classes from '../teach.module.css';
import { patternName } from './pattern-state';

type Pattern = Schema<'PatternDto'>;

const draftOf = ({ id }: Pattern): string => `rename pattern ${String(id)}`;

/** Renames, disables (with a preview of the dependent patterns) and enables. */
export function PatternActions({ pattern, relatives }: { pattern: Pattern; relatives: readonly Pattern[] }) {
  const hasDraft = useHasDraft(draftOf(pattern));
  const [open, setOpen] = useState<'rename' | 'disable' | null>(hasDraft ? 'rename' : null);
  const client = useQueryClient();
  const enable = useMutation({
    mutationFn: () => changePattern(pattern.id, { enabled: true, children: false }),
    onSuccess: () => {
      offerUndo(texts.enabled, texts.undo, async () => {
        await changePattern(pattern.id, { enabled: false, children: false });
        await reloadPatterns(client);
      });
      return reloadPatterns(client);
    },
  });
  if (!pattern.deletable) {
    return (
      <Text size="sm" className="dim">
        {texts.notYours}
      </Text>
    );
  }
  const close = (): void => setOpen(null);
  return (
    <>
      <Group gap={8}>
        <Button variant="default" aria-expanded={open === 'rename'} onClick={() => setOpen('rename')}>
          {texts.rename}
        </Button>
        {pattern.enabled ? (
          <Button variant="default" aria-expanded={open === 'disable'} onClick={() => setOpen('disable')}>
            {texts.disable}
          </Button>
        ) : (
          <Button loading={enable.isPending} onClick={() => enable.mutate()}>
            {texts.enable}
          </Button>
        )}
      </Group>
      {enable.isError && <Failed error={enable.error} />}
      {open === 'rename' && <Rename pattern={pattern} onClose={close} />}
      {open === 'disable' && pattern.enabled && <Disable pattern={pattern} relatives={relatives} onClose={close} />}
    </>
  );
}

function Rename({ pattern, onClose }: { pattern: Pattern; onClose: () => void }) {
  const [label, setLabel] = useDraft(draftOf(pattern), pattern.label);
  const client = useQueryClient();
  const save = useMutation({
    mutationFn: () => changePattern(pattern.id, { label }),
    onSuccess: () => {
      onClose();
      offerUndo(texts.renamed, texts.undo, async () => {
        await changePattern(pattern.id, { label: pattern.label });
        await reloadPatterns(client);
      });
      return reloadPatterns(client);
    },
  });
  const problem = save.error instanceof ApiError ? save.error.problemOf('label') : undefined;
  return (
    <form
      className={classes.panel}
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <TextInput
        autoFocus
        label={texts.label}
        maxLength={255}
        value={label}
        error={problem}
        onChange={({ currentTarget: { value } }) => setLabel(() => value)}
      />
      {save.isError && problem === undefined && <Failed error={save.error} />}
      <Group gap={8}>
        <Button type="submit" loading={save.isPending}>
          {texts.save}
        </Button>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
      </Group>
    </form>
  );
}

function Disable({
  pattern,
  relatives,
  onClose,
}: {
  pattern: Pattern;
  relatives: readonly Pattern[];
  onClose: () => void;
}) {
  const [withChildren, setWithChildren] = useState(true);
  const client = useQueryClient();
  const derived = descendantsOf(pattern.id, relatives).filter(({ enabled }) => enabled);
  const save = useMutation({
    mutationFn: () => changePattern(pattern.id, { enabled: false, children: withChildren }),
    onSuccess: ({ disabled_ids: ids }) => {
      onClose();
      offerUndo(texts.disabled(ids.length), texts.undo, async () => {
        for (const id of ids) await changePattern(id, { enabled: true, children: false });
        await reloadPatterns(client);
      });
      return reloadPatterns(client);
    },
  });
  return (
    <section className={classes.panel}>
      <Title order={2} size="h3">
        {texts.disableTitle}
      </Title>
      <Text size="sm">{texts.disableText}</Text>
      {derived.length === 0 && (
        <Text size="sm" className="dim">
          {texts.disableAlone}
        </Text>
      )}
      {derived.length > 0 && (
        <>
          <Text size="sm">{texts.disableWith(derived.length)}</Text>
          <ul className={classes.rows}>
            {derived.map((other) => (
              <li key={other.id} className={classes.short}>
                <Anchor size="sm" component={Link} to={`/pattern/${String(other.id)}`} search={keepView as never}>
                  <bdi>{patternName(other)}</bdi>
                </Anchor>
                <span className="dim">{texts.origin[other.origin]}</span>
              </li>
            ))}
          </ul>
          <Checkbox
            size="xs"
            label={texts.disableChildren}
            checked={withChildren}
            onChange={(event) => setWithChildren(event.currentTarget.checked)}
          />
        </>
      )}
      {save.isError && <Failed error={save.error} />}
      <Group gap={8}>
        <Button loading={save.isPending} onClick={() => save.mutate()}>
          {texts.disableNow}
        </Button>
        <Button variant="default" onClick={onClose}>
          {texts.cancel}
        </Button>
      </Group>
    </section>
  );
}
