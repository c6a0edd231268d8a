import { Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type Sender } from '../../lib/senders';
import { serviceConfigQuery } from '../../lib/service-config';
import { texts } from '../components.texts';
import { CopyLines } from './copy-lines';
import { MarkedText } from './marked-text';
import { Failed, RowsSkeleton } from '../page-states';

/** The placeholder of a token in the snippets of the API. */
const PLACEHOLDER = /YOUR_TOKEN/g;

/** Instructions for setting up a sender, and lines to copy; with the token once it exists. */
export function SenderLines({ sender, token }: { sender: Sender; token: string | undefined }) {
  const config = useQuery(serviceConfigQuery(sender));
  if (config.error && !config.data)
    return <Failed error={config.error} onRetry={() => void config.refetch()} isOld={false} />;
  if (!config.data) return <RowsSkeleton rows={3} height={48} />;
  return (
    <Stack gap="sm">
      <Text size="sm" component="div">
        <MarkedText text={config.data.instructions} />
      </Text>
      {config.data.snippets.map(({ title, code }) => (
        <CopyLines
          key={title}
          title={title}
          // A function, because `$` in a replacement text would have a special meaning.
          text={token === undefined ? code : code.replace(PLACEHOLDER, () => token)}
          label={texts.snippet(`${texts.sender[sender]}, ${title}`)}
        />
      ))}
    </Stack>
  );
}
