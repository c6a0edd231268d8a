import { idParam, pageParam, textsParam, withoutGaps } from '../../lib/search-params';

/** The selection in the address: the page of the list, and the metrics or the exclusion with which the form starts. */
export interface ExclusionsSearch {
  page?: number;
  chips?: string[];
  /** The exclusion that is being edited. */
  edit?: number;
}

export const validateExclusionsSearch = ({ page, chips, edit }: Record<string, unknown>): ExclusionsSearch =>
  withoutGaps({ page: pageParam(page), chips: textsParam(chips), edit: idParam(edit) });
