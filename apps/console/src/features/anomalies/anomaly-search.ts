import { useCallback } from 'react';
import { useNavigate, useSearch } from '@tanstack/react-router';

/** Parameters of the anomaly page in addition to window and zone. */
export interface AnomalySearch {
  /** The day that is drawn as a faint line. */
  compare?: 'day' | 'week';
  /** The open panel, by the verdict that it saves. */
  say?: 'ack' | 'expected' | 'real';
}

export function validateAnomalySearch({ compare, say }: Record<string, unknown>): AnomalySearch {
  const search: AnomalySearch = {};
  if (compare === 'day' || compare === 'week') search.compare = compare;
  if (say === 'ack' || say === 'expected' || say === 'real') search.say = say;
  return search;
}

export const useAnomalySearch = (): AnomalySearch => useSearch({ strict: false });

/** Changes some of the parameters in the address; `undefined` removes one. */
export function useSetAnomalySearch(): (change: AnomalySearch) => void {
  const navigate = useNavigate();
  return useCallback(
    (change) => {
      const search = (current: Record<string, unknown>): Record<string, unknown> => ({ ...current, ...change });
      void navigate({ to: '.', search, replace: true, resetScroll: false } as never);
    },
    [navigate],
  );
}
