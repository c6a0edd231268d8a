import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { keepView } from '../../../lib/keep-view';
import { words } from '../teach.words';

/** Where teaching begins. */
export function ToAnomalies() {
  return (
    <Anchor component={Link} to="/anomalies" search={keepView as never} size="sm">
      {words.toAnomalies}
    </Anchor>
  );
}
