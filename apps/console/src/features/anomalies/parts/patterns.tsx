import { Anchor, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { PatternShape } from '../../../components/pattern-shape';
import { type Schema } from '../../../lib/api';
import { keepView } from '../../../lib/keep-view';
import { texts } from '../anomaly.texts';
import classes from '../anomaly.module.css';

/** Patterns that were trained from the anomaly, and patterns that it resembles, as curves. */
export function Patterns({ anomaly, unit }: { anomaly: Schema<'AnomalyDto'>; unit: string | null }) {
  if (anomaly.patterns.length === 0 && anomaly.pending_patterns.length === 0) return null;
  return (
    <section className={classes.block}>
      <Title order={2} size="h3">
        {texts.pattern}
      </Title>
      {anomaly.pending_patterns.map((pending) => (
        <Text key={pending.id} size="sm">
          {texts.pending(pending.status)} {pending.message ?? ''}
        </Text>
      ))}
      {anomaly.patterns.map((pattern) => (
        <div key={pattern.id} className={classes.block}>
          <Anchor size="sm" component={Link} to={`/pattern/${String(pattern.id)}`} search={keepView as never}>
            <bdi>{pattern.label === '' ? `${texts.pattern} ${String(pattern.id)}` : pattern.label}</bdi>,{' '}
            {pattern.duration_string}
          </Anchor>
          <PatternShape id={pattern.id} label={texts.patternShape(pattern.label)} unit={unit} />
        </div>
      ))}
    </section>
  );
}
