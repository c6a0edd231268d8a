import { Button, Group, Text } from '@mantine/core';
import { useEffect, useId, useState } from 'react';
import { texts } from '../components.texts';
import classes from './copy-lines.module.css';

const SHOWN_MS = 2000;

type CopyState = 'idle' | 'copied' | 'selected';

/** Lines to copy. Browsers allow copying over HTTPS only: otherwise the lines are selected. */
export function CopyLines({ title, text, label }: { title: string; text: string; label: string }) {
  const [state, setState] = useState<CopyState>('idle');
  const id = useId();
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async (): Promise<void> => setState((await copyText(text)) ? 'copied' : selectLines(id));
  const buttonText = { idle: texts.copy, copied: texts.copied, selected: texts.copyByHand }[state];
  return (
    <div>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Text size="xs" className="dim mono">
          {title}
        </Text>
        <Button variant="default" onClick={() => void copy()} aria-label={`${buttonText}: ${label}`}>
          {buttonText}
        </Button>
      </Group>
      <pre id={id} className={classes.lines} tabIndex={0} role="region" aria-label={label}>
        {text}
      </pre>
    </div>
  );
}

async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

function selectLines(id: string): CopyState {
  const element = document.getElementById(id);
  if (element) getSelection()?.selectAllChildren(element);
  return 'selected';
}
