import { Fragment, useEffect, useRef } from 'react';
import { namePieces } from '#libs/wording';
import classes from './metric-name.module.css';

/**
 * The name of a metric, which wraps preferably between its parts and labels. `lines`: maximum number of lines; a longer
 * name is shown completely while its link is hovered or focused.
 */
export function MetricName({ name, lines }: { name: string; lines?: number }) {
  return lines === undefined ? (
    <bdi>
      <Pieces name={name} />
    </bdi>
  ) : (
    <BoundedName name={name} lines={lines} />
  );
}

function Pieces({ name }: { name: string }) {
  return namePieces(name).map((piece, i) => (
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {piece}
    </Fragment>
  ));
}

function BoundedName({ name, lines }: { name: string; lines: number }) {
  const box = useRef<HTMLSpanElement>(null);
  const text = useRef<HTMLElement>(null);
  useEffect(() => {
    const look = (): void => {
      const isCut = text.current !== null && text.current.scrollHeight > text.current.clientHeight + 1;
      box.current?.toggleAttribute('data-cut', isCut);
    };
    const observer = new ResizeObserver(look);
    if (text.current) observer.observe(text.current);
    look();
    return () => observer.disconnect();
  }, [name, lines]);
  return (
    <span className={`${classes.box} ${classes.whole}`} ref={box} data-name={name}>
      <bdi className={classes.text} ref={text} style={{ WebkitLineClamp: lines }}>
        <Pieces name={name} />
      </bdi>
    </span>
  );
}
