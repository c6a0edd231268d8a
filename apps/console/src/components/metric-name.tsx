import { Fragment } from 'react';
import { namePieces } from '#libs/wording';

/** The name of a metric, which breaks between its parts and labels before it breaks within one. */
export function MetricName({ name }: { name: string }) {
  return (
    <bdi>
      {namePieces(name).map((piece, i) => (
        <Fragment key={i}>
          {i > 0 && <wbr />}
          {piece}
        </Fragment>
      ))}
    </bdi>
  );
}
