import { Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useEffect, useState } from 'react';
import { useMe } from '../../../lib/me';
import { texts } from '../account.texts';
import { type Strength } from '../strength';
import classes from './strength-meter.module.css';

const PARTS = [1, 2, 3, 4];
const DEBOUNCE_MS = 150;

/** The strength of a new password; nothing while there is none. Its word lists are loaded with the first letter. */
export function StrengthMeter({ password }: { password: string }) {
  const strength = useStrength(password);
  if (strength === null) return <div className={classes.box} />;
  const { score, warning } = strength;
  const text = texts.strengths[score] ?? '';
  return (
    <Stack gap={4} className={classes.box}>
      <div
        className={classes.meter}
        role="meter"
        aria-label={texts.strength}
        aria-valuemin={0}
        aria-valuemax={4}
        aria-valuenow={score}
        aria-valuetext={text}
      >
        {PARTS.map((part) => (
          <span key={part} className={classes.part} data-on={part <= Math.max(score, 1) ? score : undefined} />
        ))}
      </div>
      <Text size="xs" className="dim" aria-live="polite">
        {texts.strength}: {text}. {(warning === null ? undefined : texts.warnings[warning]) ?? ''}{' '}
        {score < 3 && texts.hint}
      </Text>
    </Stack>
  );
}

function useStrength(password: string): Strength | null {
  const { name, email, org } = useMe();
  const [judged] = useDebouncedValue(password, DEBOUNCE_MS);
  const [strength, setStrength] = useState<Strength | null>(null);
  const own = `${email}\n${name}\n${org.name}`;
  useEffect(() => {
    let isWanted = judged !== '';
    // If its file cannot be loaded there is no meter: the server judges the password in any case.
    if (isWanted)
      import('../strength').then(
        ({ strengthOf }) => {
          if (isWanted) setStrength(strengthOf(judged, own.split('\n')));
        },
        () => undefined,
      );
    return () => {
      isWanted = false;
    };
  }, [judged, own]);
  return password === '' ? null : strength;
}
