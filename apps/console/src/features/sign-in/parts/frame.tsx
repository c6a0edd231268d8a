import { Alert, Anchor, Stack, Text, Title } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { ApiError } from '../../../lib/api';
import { texts } from '../sign-in.texts';
import classes from './frame.module.css';

/** The single box of a page before the sign-in. */
export function Frame({ title, text, children }: { title: string; text?: string; children?: ReactNode }) {
  return (
    <main className={classes.page}>
      <div className={classes.box}>
        <div className={classes.brand}>
          <img src="/favicon.svg" alt="" width="22" height="22" />
          {texts.product}
        </div>
        <Title order={1} mb={text === undefined ? 'md' : 4}>
          {title}
        </Title>
        {text !== undefined && (
          <Text size="sm" className="dim" mb="md">
            {text}
          </Text>
        )}
        {children}
      </div>
    </main>
  );
}

/** The error of a whole form. */
export function FormFailure({
  error,
  errorTexts = {},
}: {
  error: Error | null;
  errorTexts?: Readonly<Record<string, string>>;
}) {
  if (error === null) return null;
  const isApi = error instanceof ApiError;
  return (
    <Alert color="red" variant="light" role="alert">
      <Text size="sm">{(isApi ? errorTexts[error.code] : undefined) ?? error.message}</Text>
      {isApi && error.status >= 500 && error.requestId !== null && (
        <Text size="xs" className="dim">
          {texts.requestId} <span className="mono">{error.requestId}</span>
        </Text>
      )}
    </Alert>
  );
}

export function ToSignIn({ label = texts.toSignIn }: { label?: string }) {
  return (
    <Anchor component={Link} to="/login" size="sm" underline="always">
      {label}
    </Anchor>
  );
}

/** Replaces a form whose link was truncated. */
export function CutLink() {
  return (
    <Frame title={texts.noTokenTitle} text={texts.noToken}>
      <ToSignIn />
    </Frame>
  );
}

export function FormStack({ children }: { children: ReactNode }) {
  return <Stack gap="sm">{children}</Stack>;
}
