import { Stack, Text, Title } from '@mantine/core';
import { type ReactNode } from 'react';

interface SectionProps {
  title: string;
  text?: ReactNode;
  children: ReactNode;
}

/** A part of a page with a separate heading. */
export function Section({ title, text, children }: SectionProps) {
  return (
    <Stack gap="xs" component="section">
      <Title order={2}>{title}</Title>
      {text !== undefined && (
        <Text size="sm" className="dim" component="div">
          {text}
        </Text>
      )}
      {children}
    </Stack>
  );
}
