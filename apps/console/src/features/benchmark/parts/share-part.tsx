import { Stack, Text, Title } from '@mantine/core';
import { useRouterState } from '@tanstack/react-router';
import { CopyLines } from '../../../components/lines/copy-lines';
import { useNow } from '../../../lib/now';
import { agoText } from '../../../lib/time';
import { texts } from '../benchmark.texts';

/** The link to the page, and a list of the data that it reveals. */
export function SharePart({ expiresAt }: { expiresAt: number }) {
  const href = useRouterState({ select: (state) => state.location.href });
  const now = useNow();
  return (
    <Stack gap="xs" component="section" aria-labelledby="share" maw={760}>
      <Title order={2} id="share">
        {texts.share}
      </Title>
      <Text size="sm" className="dim">
        {texts.shareText(agoText(expiresAt, now))}
      </Text>
      <CopyLines title={texts.link} text={new URL(href, location.origin).href} label={texts.link} />
    </Stack>
  );
}
