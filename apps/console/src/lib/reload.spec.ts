import { expect, it } from '@jest/globals';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { reloadQueries } from './reload';

it('reloadQueries shows a change made during the first load of a list', async () => {
  const client = new QueryClient();
  const answers: ((names: string[]) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ['tunings'],
    queryFn: () => new Promise<string[]>((answer) => answers.push(answer)),
  });
  const unsubscribe = observer.subscribe(() => undefined);
  expect(answers).toHaveLength(1);

  const reloaded = reloadQueries(client, ['tunings']);
  // The response from before the change.
  answers[0]!([]);
  while (answers.length < 2) await new Promise((next) => setImmediate(next));
  answers[1]!(['By keys']);
  await reloaded;
  expect(observer.getCurrentResult().data).toEqual(['By keys']);
  unsubscribe();
  client.clear();
});
