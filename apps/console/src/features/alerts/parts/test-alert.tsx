import { Button, Text } from '@mantine/core';
import { Failed } from '../../../components/page-states';
import { texts } from '../alerts.texts';
import { useTestAlert } from '../api/watcher-acts';
import classes from '../deliveries.module.css';
import { texts as deliveries } from '../deliveries.texts';
import { StateMark } from './state-mark';

const isChannel = (id: string): id is keyof typeof deliveries.channels => id in deliveries.channels;

/** Sends a test alert over every channel, and shows the outcome for each. */
export function TestAlert({ watcherId }: { watcherId: number }) {
  const { mutate, isPending, error, data } = useTestAlert(watcherId);
  return (
    <div>
      <Button variant="default" loading={isPending} onClick={() => mutate()}>
        {texts.test}
      </Button>
      {error && <Failed error={error} />}
      <div role="status" aria-live="polite">
        {data?.length === 0 && <Text size="sm">{texts.testNowhere}</Text>}
        {data && data.length > 0 && (
          <ul className={classes.results} aria-label={texts.testResults}>
            {data.map(({ channel, recipient, ok, message }) => (
              <li key={`${channel} ${recipient}`}>
                <StateMark state={ok ? 'sent' : 'failed'}>
                  {isChannel(channel) ? deliveries.channels[channel] : channel} <bdi>{recipient}</bdi>
                </StateMark>{' '}
                <span className={ok ? 'dim' : undefined}>{ok ? texts.testSent : <bdi>{message}</bdi>}</span>
              </li>
            ))}
          </ul>
        )}
      </div>
    </div>
  );
}
