import { pageParam, textsParam, withoutGaps, choiceParam } from '../../lib/search-params';

/** The watchers that the address selects. */
export interface WatchersSearch {
  page?: number;
  deleted?: 'yes';
}

export const validateWatchersSearch = ({ page, deleted }: Record<string, unknown>): WatchersSearch =>
  withoutGaps({ page: pageParam(page), deleted: choiceParam(['yes'], deleted) });

/** The initial content of the editor of a new watcher. */
export const validateNewWatcherSearch = ({ chips }: Record<string, unknown>): { chips?: string[] } =>
  withoutGaps({ chips: textsParam(chips) });
