import { Anchor, type AnchorProps } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { keepView } from '../lib/keep-view';

interface AnomalyLinkProps extends Pick<AnchorProps, 'c' | 'className' | 'fz' | 'size'> {
  anomalyId: number;
  children: ReactNode;
}

/** Links to an anomaly in the same window and zone. */
export function AnomalyLink({ anomalyId, children, ...look }: AnomalyLinkProps) {
  return (
    <Anchor
      {...look}
      component={Link}
      to="/anomaly/$anomalyId"
      params={{ anomalyId: String(anomalyId) } as never}
      search={keepView as never}
    >
      {children}
    </Anchor>
  );
}
