import { expect, it } from '@jest/globals';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { reloadQueries } from './reload';

it('shows what was changed while a list was loaded for the first time', async () => {
  const client = new QueryClient();
  const answers: ((names: string[]) => void)[] = [];
  const observer = new QueryObserver(client, {
    queryKey: ['tunings'],
    queryFn: () => new Promise<string[]>((answer) => answers.push(answer)),
  });
  const unsubscribe = observer.subscribe(() => undefined);
  expect(answers).toHaveLength(1);

  const reloaded = reloadQueries(client, ['tunings']);
  // The answer from before the change.
  answers[0]!([]);
  while (answers.length < 2) await new Promise((next) => setImmediate(next));
  answers[1]!(['By keys']);
  await reloaded;
  expect(observer.getCurrentResult().data).toEqual(['By keys']);
  unsubscribe();
  client.clear();
});
