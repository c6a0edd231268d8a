import { pageParam, textsParam, withoutGaps, choiceParam } from '../../lib/search-params';

/** What the address chooses of the list of watchers. */
export interface WatchersSearch {
  page?: number;
  deleted?: 'yes';
}

export const validateWatchersSearch = ({ page, deleted }: Record<string, unknown>): WatchersSearch =>
  withoutGaps({ page: pageParam(page), deleted: choiceParam(['yes'], deleted) });

/** What the editor of a new watcher begins with. */
export const validateNewWatcherSearch = ({ chips }: Record<string, unknown>): { chips?: string[] } =>
  withoutGaps({ chips: textsParam(chips) });
