import { Button, Group, PasswordInput, Stack } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import { Failed } from '../../../components/page-states';
import { ApiError } from '../../../lib/api';
import { useMe } from '../../../lib/me';
import { useChangePassword } from '../api/account';
import { texts } from '../account.texts';
import { Section } from './section';
import { StrengthMeter } from './strength-meter';

const SHORTEST = 12;
const LONGEST = 200;

/** Sets a new password, with its strength as it is typed. */
export function PasswordForm() {
  const { email } = useMe();
  const [old, setOld] = useState('');
  const [next, setNext] = useState('');
  const [isTried, setTried] = useState(false);
  const change = useChangePassword(() => {
    setOld('');
    setNext('');
    setTried(false);
  });
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setTried(true);
    if (old !== '' && next.length >= SHORTEST) change.mutate({ old, next });
  };
  const { error } = change;
  const isOldWrong = error instanceof ApiError && error.code === 'login_failed';
  const newProblem = error instanceof ApiError ? error.problemOf('new_password_1') : undefined;
  const lackOfNew = next === '' ? texts.required : next.length < SHORTEST ? texts.tooShort : undefined;
  return (
    <Section title={texts.password} text={texts.passwordText}>
      <form onSubmit={submit} noValidate>
        <Stack gap="sm" maw={420}>
          {/* Shows password managers to whom the password belongs. */}
          <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
          <PasswordInput
            label={texts.oldPassword}
            autoComplete="current-password"
            maxLength={LONGEST}
            value={old}
            error={isTried && old === '' ? texts.required : isOldWrong ? texts.oldWrong : undefined}
            visibilityToggleButtonProps={{ 'aria-label': texts.showPassword }}
            onChange={(event) => setOld(event.currentTarget.value)}
          />
          <PasswordInput
            label={texts.newPassword}
            description={texts.passwordRules}
            autoComplete="new-password"
            maxLength={LONGEST}
            value={next}
            error={isTried ? (lackOfNew ?? newProblem) : undefined}
            visibilityToggleButtonProps={{ 'aria-label': texts.showPassword }}
            onChange={(event) => setNext(event.currentTarget.value)}
          />
          <StrengthMeter password={next} />
          {error && !isOldWrong && newProblem === undefined && <Failed error={error} />}
          <Group>
            <Button type="submit" loading={change.isPending}>
              {texts.change}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
