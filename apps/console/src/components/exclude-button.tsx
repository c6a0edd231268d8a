import { useMemo } from 'react';
import { type Hotkey, useHotkeyList } from '../lib/hotkeys';
import { useExcludeForHours } from '../lib/exclude';
import { useMayWrite } from '../lib/me';
import { texts } from './components.texts';
import { KeyButton } from './key-button';

const KEY = 'x';

/** Suppresses messages about a metric for two hours; `x` does the same. */
export function ExcludeButton({ metric, group }: { metric: string; group: string }) {
  const mayWrite = useMayWrite();
  const { mutate, isPending } = useExcludeForHours();
  const keys = useMemo<Hotkey[]>(
    () => (mayWrite ? [{ keys: KEY, label: texts.exclude, group, run: () => mutate(metric) }] : []),
    [group, mayWrite, metric, mutate],
  );
  useHotkeyList(keys);
  if (!mayWrite) return null;
  return (
    <KeyButton hotkey={KEY} variant="default" loading={isPending} onClick={() => mutate(metric)}>
      {texts.exclude}
    </KeyButton>
  );
}
