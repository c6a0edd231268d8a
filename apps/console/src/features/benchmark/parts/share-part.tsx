import { Stack, Text, Title } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { CopyLines } from '../../../components/lines/copy-lines';
import { useNow } from '../../../lib/now';
import { agoText } from '../../../lib/time';
import { words } from '../benchmark.words';

/** The link to what is seen, and what it gives away. */
export function SharePart({ expiresAt }: { expiresAt: number }) {
  const href = useRouterState({ select: (state) => state.location.href });
  const now = useNow();
  return (
    <Stack gap="xs" component="section" aria-labelledby="share" maw={760}>
      <Title order={2} id="share">
        {words.share}
      </Title>
      <Text size="sm" className="dim">
        {words.shareText(agoText(expiresAt, now))}
      </Text>
      <CopyLines title={words.link} text={new URL(href, location.origin).href} label={words.link} />
    </Stack>
  );
}
