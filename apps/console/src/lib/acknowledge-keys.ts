import { type RefObject, useMemo } from 'react';
import { type AcknowledgedThing, useAcknowledge } from './acknowledge';
import { type Hotkey, useHotkeyList } from './hotkeys';
import { useMayWrite } from './me';
import { rowInFocus, useRowKeys } from './row-keys';

const KEY = 'a';

interface KeyTexts {
  /** Heading and text of the key in the list of keys at `?`. */
  group: string;
  label: string;
}

/**
 * Keys of a list of anomalies or incidents: j and k move over its rows, `a` acknowledges the focused one. `thingOf`
 * must be memoised: it returns the object in the row of an id; null if there is nothing to acknowledge.
 */
export function useAcknowledgeRows(
  list: RefObject<HTMLElement | null>,
  thingOf: (rowId: string) => AcknowledgedThing | null,
  { rows, group, label }: KeyTexts & { rows: { group: string; next: string; previous: string } },
): void {
  const mayWrite = useMayWrite();
  const { mutate } = useAcknowledge();
  const keys = useMemo<Hotkey[]>(
    () =>
      mayWrite
        ? [
            {
              keys: KEY,
              label,
              group,
              run: () => {
                const id = rowInFocus(list.current);
                const thing = id === undefined ? null : thingOf(id);
                if (thing) mutate(thing);
              },
            },
          ]
        : [],
    [list, thingOf, group, label, mayWrite, mutate],
  );
  useRowKeys(list, rows, keys);
}

/** The key `a` of the page of one incident; null: there is nothing to acknowledge. */
export function useAcknowledgeIncident(incidentId: number | null, { group, label }: KeyTexts): void {
  const mayWrite = useMayWrite();
  const { mutate } = useAcknowledge();
  const keys = useMemo<Hotkey[]>(
    () => (mayWrite && incidentId !== null ? [{ keys: KEY, label, group, run: () => mutate({ incidentId }) }] : []),
    [incidentId, group, label, mayWrite, mutate],
  );
  useHotkeyList(keys);
}
