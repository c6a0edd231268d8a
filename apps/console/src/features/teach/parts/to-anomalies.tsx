import { Anchor } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { keepView } from '../../../lib/keep-view';
import { texts } from '../teach.texts';

/** A link to the anomalies, where teaching starts. */
export function ToAnomalies() {
  return (
    <Anchor component={Link} to="/anomalies" search={keepView as never} size="sm">
      {texts.toAnomalies}
    </Anchor>
  );
}
