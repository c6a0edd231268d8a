import { Fragment, type ReactNode } from 'react';
import classes from './pairs.module.css';

export interface NamedValue {
  name: ReactNode;
  value: ReactNode;
}

/**
 * Facts, each preceded by its name. A pair that is null is omitted. `isWide`: long names, short values on the right.
 */
export function Pairs({ pairs, isWide = false }: { pairs: readonly (NamedValue | null)[]; isWide?: boolean }) {
  return (
    <dl className={classes.pairs} data-wide={isWide || undefined}>
      {pairs.map(
        (pair, i) =>
          pair && (
            <Fragment key={i}>
              <dt>{pair.name}</dt>
              <dd>{pair.value}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}
