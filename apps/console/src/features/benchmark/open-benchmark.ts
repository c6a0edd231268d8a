import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { type Started } from './api/benchmark';
import { texts } from './benchmark.texts';

/** Opens a benchmark that was just started, in the zone of the page. */
export function useOpenBenchmark(): (started: Started) => void {
  const navigate = useNavigate();
  return ({ id, with: second, lacking }) => {
    if (lacking) {
      notifications.show({
        color: 'orange',
        autoClose: false,
        message: texts.lacking(lacking.models.join(', '), lacking.why),
      });
    }
    void navigate({
      to: '/benchmark/$benchmarkId',
      params: { benchmarkId: id },
      search: ({ tz }: { tz?: string }) => ({
        ...(tz === undefined ? {} : { tz }),
        ...(second === undefined ? {} : { with: second }),
      }),
    } as never);
  };
}
