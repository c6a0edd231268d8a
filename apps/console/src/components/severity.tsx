import { Group, Text } from '@mantine/core';
import { type Schema } from '../lib/api';
import { texts } from './components.texts';

export type Severity = Schema<'AnomalyDto'>['severity_label'];

/** One shape for each severity: colour alone does not distinguish them. */
const SHAPES: Record<Severity, string> = {
  critical: 'M1 1h10v10H1z',
  major: 'M6 .5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 0 1 0-11z',
  minor: 'M6 1 11.5 11H.5z',
  info: 'M6 .5 11.5 6 6 11.5.5 6z',
};

/** The mark of a severity, with its name unless the name is next to it. */
export function SeverityMark({ severity, withText = true }: { severity: Severity; withText?: boolean }) {
  const color = `var(--pl-${severity})`;
  return (
    <Group gap={6} wrap="nowrap" display="inline-flex">
      <svg
        width="12"
        height="12"
        viewBox="0 0 12 12"
        role={withText ? 'presentation' : 'img'}
        aria-label={withText ? undefined : texts.severity[severity]}
      >
        <path d={SHAPES[severity]} fill={color} />
      </svg>
      {withText && (
        <Text span size="sm" fw={600} c={color}>
          {texts.severity[severity]}
        </Text>
      )}
    </Group>
  );
}
