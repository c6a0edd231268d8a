import { PasswordInput, TextInput } from '@mantine/core';
import { texts } from '../sign-in.texts';
import { type Problems } from './sign-in-form';

interface FieldProps {
  problems: Problems;
  autoFocus?: boolean;
  value?: string;
  /** Its value is fixed. */
  isGiven?: boolean;
}

export function EmailField({ problems, autoFocus = false, value, isGiven = false }: FieldProps) {
  return (
    <TextInput
      name="email"
      type="email"
      label={texts.email}
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
      defaultValue={value}
      readOnly={isGiven}
      error={problems.email}
      autoFocus={autoFocus}
    />
  );
}

export function PasswordField({ problems, isNew = false, autoFocus = false }: FieldProps & { isNew?: boolean }) {
  return (
    <PasswordInput
      name="password"
      label={isNew ? texts.newPassword : texts.password}
      description={isNew ? texts.passwordRules : undefined}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      maxLength={200}
      error={problems.password}
      autoFocus={autoFocus}
      visibilityToggleButtonProps={{ 'aria-label': texts.showPassword }}
    />
  );
}

export function CodeField({ problems, autoFocus = false, value }: FieldProps) {
  return (
    <TextInput
      name="code"
      label={texts.code}
      autoComplete="one-time-code"
      inputMode="numeric"
      maxLength={6}
      defaultValue={value}
      error={problems.code}
      autoFocus={autoFocus}
      classNames={{ input: 'mono' }}
    />
  );
}
