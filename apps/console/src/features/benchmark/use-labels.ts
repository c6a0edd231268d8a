import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { lastUndo, offerUndo } from '../../lib/undo';
import { withoutGaps } from '../../lib/search-params';
import { type BenchmarkSearch, readLabels, writeLabels } from './benchmark-search';
import { texts } from './benchmark.texts';
import { isSame, joined, type Label, MAX_LABELS } from './labels';

/** Labels from the address, and functions to change them; each change can be undone. */
export interface Labels {
  list: readonly Label[];
  /** True if they differ from the labels with which the models were scored. */
  isChanged: boolean;
  isFull: boolean;
  add: (label: Label) => void;
  remove: (removed: readonly Label[]) => void;
  /** Restores the labels of the run. */
  reset: () => void;
}

const NO_LABELS: readonly Label[] = [];

/** `run`: the labels of the benchmark. */
export function useLabels(run: readonly Label[] = NO_LABELS): Labels {
  const search: BenchmarkSearch = useSearch({ strict: false });
  const navigate = useNavigate();
  const ofRun = useMemo(() => joined(run), [run]);
  const list = useMemo(
    () => joined((search.labels === undefined ? null : readLabels(search.labels)) ?? ofRun),
    [search.labels, ofRun],
  );
  const set = (next: readonly Label[]): void =>
    void navigate({
      to: '.',
      replace: true,
      search: (current: BenchmarkSearch) =>
        withoutGaps({ ...current, labels: isSame(next, ofRun) ? undefined : writeLabels(next) }),
    } as never);
  const back = (): void => set(list);
  return {
    list,
    isChanged: !isSame(list, ofRun),
    isFull: list.length >= MAX_LABELS,
    add: (label) => {
      const next = joined([...list, label]);
      if (next.length > MAX_LABELS) return;
      set(next);
      lastUndo.set(back);
    },
    remove: (removed) => {
      set(list.filter((label) => !removed.includes(label)));
      offerUndo(texts.removed(removed.length), texts.undo, back);
    },
    reset: () => {
      set(ofRun);
      lastUndo.set(back);
    },
  };
}
